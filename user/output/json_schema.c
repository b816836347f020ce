// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/json_schema.h"

#include <string.h>

#include "frame/columns.h"
#include "output/json_text.h"

bool fw_json_versioned(const struct fw_table *t)
{
	for (int i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, "schema"))
			return true;
	return false;
}

static const char *json_type(enum fw_cell_type type)
{
	switch (type) {
	case FW_INT:
	case FW_UINT:
		return "integer";
	case FW_MS:
	case FW_REAL:
		return "number";
	case FW_TEXT:
		return "string";
	case FW_NULL:
		break;
	}
	return NULL;
}

static void put_member(struct fw_writer *w, const char *name, const char *value)
{
	fw_writer_printf(w, ",\"%s\":", name);
	fw_json_text(w, fw_str(value));
}

static void put_property(struct fw_writer *w, const struct fw_column *c)
{
	const char *type = json_type(c->type);

	fw_json_text(w, fw_str(c->name));
	fw_writer_puts(w, FW_STR(":{\"unit\":"));
	fw_json_text(w, fw_str(c->unit));
	put_member(w, "description", c->meaning);
	if (c->empty)
		put_member(w, "empty", c->empty);
	if (type && c->empty)
		fw_writer_printf(w, ",\"type\":[\"%s\",\"null\"]", type);
	else if (type)
		put_member(w, "type", type);
	if (c->type == FW_UINT)
		fw_writer_puts(w, FW_STR(",\"minimum\":0"));
	fw_writer_char(w, '}');
}

void fw_json_schema(struct fw_writer *w, const struct fw_table *t)
{
	bool versioned = fw_json_versioned(t);

	fw_writer_puts(w, FW_STR("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\""));
	fw_writer_printf(w, ",\"$id\":\"urn:framewait:schema:%d:%s\"", FW_SCHEMA_VERSION, t->name);
	put_member(w, "title", t->name);
	put_member(w, "description", t->what);
	fw_writer_puts(w, FW_STR(",\n\"type\":\"array\",\"items\":{\"type\":\"object\","
				 "\"additionalProperties\":false,\n\"required\":["));
	if (!versioned)
		fw_json_text(w, FW_STR("schema"));
	for (int i = 0; i < t->n_columns; i++) {
		if (i || !versioned)
			fw_writer_char(w, ',');
		fw_json_text(w, fw_str(t->columns[i].name));
	}
	fw_writer_puts(w, FW_STR("],\n\"properties\":{\n"));
	if (!versioned)
		fw_writer_printf(
			w, "\"schema\":{\"description\":\"version of the columns\",\"const\":%d}",
			FW_SCHEMA_VERSION);
	for (int i = 0; i < t->n_columns; i++) {
		if (i || !versioned)
			fw_writer_puts(w, FW_STR(",\n"));
		put_property(w, &t->columns[i]);
	}
	fw_writer_puts(w, FW_STR("\n}}}\n"));
}
