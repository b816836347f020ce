// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/expr.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

enum op {
	OP_NUMBER,
	OP_NAME,
	OP_MINUS, /* of one */
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_EQ,
	OP_NE,
	OP_NOT,
	OP_AND,
	OP_OR,
	OP_OPEN,
	OP_CLOSE,
	OP_END,
};

struct node {
	enum op op;
	int left, right; /* of one operand: left */
	double number;
	int name;
};

struct fw_expr {
	char *text;
	struct node nodes[FW_EXPR_NODES_MAX];
	int n, root;
	struct fw_str names[FW_EXPR_NODES_MAX]; /* of OP_NAME nodes, in text */
};

struct parser {
	struct fw_expr *e;
	const struct fw_expr_names *names;
	const char *at; /* after the token */
	const char *token;
	enum op op;
	size_t len;
	int depth;
	int err;
	char shown[64]; /* the text as messages have it */
};

/* Nobody reads on after so many characters. */
static void shorten(const char *text, char *to, size_t size)
{
	if ((size_t)snprintf(to, size, "%s", text) >= size)
		memcpy(to + size - 4, "...", 4);
}

static int fail(struct parser *p, const char *expected)
{
	int column = (int)(p->token - p->e->text) + 1;

	if (p->err)
		return -1;
	if (p->op == OP_END)
		p->err = fw_fail(EINVAL, "'%s' ends where %s was expected", p->shown, expected);
	else
		p->err = fw_fail(EINVAL, "'%s', column %d: %s was expected at '%.20s'", p->shown,
				 column, expected, p->token);
	return -1;
}

static const struct {
	const char *text;
	enum op op;
} symbols[] = {
	{ "<=", OP_LE },  { ">=", OP_GE },   { "==", OP_EQ }, { "!=", OP_NE },	 { "<", OP_LT },
	{ ">", OP_GT },	  { "+", OP_ADD },   { "-", OP_SUB }, { "*", OP_MUL },	 { "/", OP_DIV },
	{ "(", OP_OPEN }, { ")", OP_CLOSE }, { "or", OP_OR }, { "and", OP_AND }, { "not", OP_NOT },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
	       c == '.';
}

/* A number's exponent may have a sign. */
static size_t number_len(const char *s)
{
	size_t n = strspn(s, "0123456789.");

	if (s[n] == 'e' || s[n] == 'E') {
		size_t sign = s[n + 1] == '+' || s[n + 1] == '-';

		if (is_digit(s[n + 1 + sign]))
			n += 1 + sign + strspn(s + n + 1 + sign, "0123456789");
	}
	return n;
}

static void next(struct parser *p)
{
	const char *s = p->at + strspn(p->at, " \t\n");
	size_t n = 0;

	p->token = s;
	p->op = OP_END;
	if (is_digit(*s) || *s == '.') {
		p->op = OP_NUMBER;
		n = number_len(s);
	} else if (is_word(*s)) {
		p->op = OP_NAME;
		while (is_word(s[n]))
			n++;
	}
	for (size_t i = 0; p->op != OP_NUMBER && *s && i < ARRAY_SIZE(symbols); i++) {
		size_t len = strlen(symbols[i].text);

		if (n && n != len)
			continue;
		if (!strncmp(s, symbols[i].text, len)) {
			p->op = symbols[i].op;
			n = len;
			break;
		}
	}
	p->len = n;
	p->at = s + n;
	if (!n && *s)
		fail(p, "a name, a number, an operator or a bracket");
}

static int add(struct parser *p, struct node n)
{
	if (p->err)
		return -1;
	if (p->e->n == FW_EXPR_NODES_MAX)
		return fail(p, "an end: over 1000 parts");
	p->e->nodes[p->e->n] = n;
	return p->e->n++;
}

static bool is_truth(const struct parser *p, int node)
{
	enum op op = p->e->nodes[node].op;

	return op >= OP_LT && op <= OP_OR;
}

/* One with operands of the right kind: a truth for a truth's operators, else numbers. */
static int operate(struct parser *p, enum op op, int left, int right)
{
	bool truths = op >= OP_NOT;

	if (p->err || left < 0 || right < 0)
		return -1;
	if (is_truth(p, left) != truths || is_truth(p, right) != truths)
		return fail(p, truths ? "a comparison on both sides of and, or, not before it"
				      : "numbers on both sides of an operator before it");
	return add(p, (struct node){ .op = op, .left = left, .right = right });
}

static int parse_or(struct parser *p);

static int parse_number(struct parser *p)
{
	struct node n = { .op = OP_NUMBER };

	if (!fw_str_real((struct fw_str){ p->token, p->len }, &n.number))
		return fail(p, "a number");
	next(p);
	return add(p, n);
}

static int parse_name(struct parser *p)
{
	struct fw_str name = { p->token, p->len };
	struct node n = { .op = OP_NAME, .name = p->names->find(p->names->ctx, name) };
	int i;

	if (n.name < 0) {
		p->err = fw_fail(EINVAL, "'%s': %.*s is %s", p->shown, (int)FW_MIN(p->len, 40u),
				 p->token,
				 n.name == FW_EXPR_UNSUPPORTED ? "unsupported: it never has a value"
							       : "no name of a value");
		return -1;
	}
	next(p);
	i = add(p, n);
	if (i >= 0)
		p->e->names[i] = name;
	return i;
}

static int parse_primary(struct parser *p)
{
	int inner;

	if (p->op == OP_NUMBER)
		return parse_number(p);
	if (p->op == OP_NAME)
		return parse_name(p);
	if (p->op != OP_OPEN)
		return fail(p, "a name, a number or '('");
	next(p);
	inner = parse_or(p);
	if (p->op != OP_CLOSE)
		return fail(p, "')'");
	next(p);
	return inner;
}

static int parse_unary(struct parser *p)
{
	int inner;

	if (p->op != OP_SUB)
		return parse_primary(p);
	if (++p->depth > FW_EXPR_DEPTH_MAX)
		return fail(p, "less nesting");
	next(p);
	inner = parse_unary(p);
	p->depth--;
	return operate(p, OP_MINUS, inner, inner);
}

static int parse_product(struct parser *p)
{
	int left = parse_unary(p);

	while (!p->err && (p->op == OP_MUL || p->op == OP_DIV)) {
		enum op op = p->op;

		next(p);
		left = operate(p, op, left, parse_unary(p));
	}
	return left;
}

static int parse_sum(struct parser *p)
{
	int left = parse_product(p);

	while (!p->err && (p->op == OP_ADD || p->op == OP_SUB)) {
		enum op op = p->op;

		next(p);
		left = operate(p, op, left, parse_product(p));
	}
	return left;
}

static int parse_comparison(struct parser *p)
{
	int left = parse_sum(p);
	enum op op = p->op;

	if (p->err || op < OP_LT || op > OP_NE)
		return left;
	next(p);
	return operate(p, op, left, parse_sum(p));
}

static int parse_not(struct parser *p)
{
	int inner;

	if (p->op != OP_NOT)
		return parse_comparison(p);
	if (++p->depth > FW_EXPR_DEPTH_MAX)
		return fail(p, "less nesting");
	next(p);
	inner = parse_not(p);
	p->depth--;
	return operate(p, OP_NOT, inner, inner);
}

static int parse_and(struct parser *p)
{
	int left = parse_not(p);

	while (!p->err && p->op == OP_AND) {
		next(p);
		left = operate(p, OP_AND, left, parse_not(p));
	}
	return left;
}

static int parse_or(struct parser *p)
{
	int left;

	if (++p->depth > FW_EXPR_DEPTH_MAX)
		return fail(p, "less nesting");
	left = parse_and(p);
	while (!p->err && p->op == OP_OR) {
		next(p);
		left = operate(p, OP_OR, left, parse_and(p));
	}
	p->depth--;
	return left;
}

int fw_expr_parse(const char *text, const struct fw_expr_names *names, struct fw_expr **out)
{
	struct fw_expr *e = fw_zalloc(sizeof(*e));
	struct parser p = { .e = e, .names = names };

	e->text = fw_strdup(text);
	p.at = p.token = e->text;
	shorten(text, p.shown, sizeof(p.shown));
	next(&p);
	e->root = parse_or(&p);
	if (!p.err && p.op != OP_END)
		fail(&p, "an operator or the end");
	if (!p.err && !is_truth(&p, e->root))
		p.err = fw_fail(EINVAL,
				"'%s' is a number; a condition was expected, as in '%s > 0'",
				p.shown, p.shown);
	if (p.err) {
		fw_expr_free(e);
		return p.err;
	}
	*out = e;
	return 0;
}

void fw_expr_free(struct fw_expr *e)
{
	if (!e)
		return;
	free(e->text);
	free(e);
}

static double compare(enum op op, double a, double b)
{
	switch (op) {
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_GT:
		return a > b;
	case OP_GE:
		return a >= b;
	case OP_EQ:
		return a == b;
	default:
		return a != b;
	}
}

static double calculate(enum op op, double a, double b)
{
	double v = op == OP_MINUS ? -a
		   : op == OP_ADD ? a + b
		   : op == OP_SUB ? a - b
		   : op == OP_MUL ? a * b
				  : a / b;

	return isfinite(v) ? v : NAN;
}

/* Truths are 0, 1 and NAN: unknown. */
static double evaluate(const struct fw_expr *e, const struct fw_expr_names *names, int i)
{
	const struct node *n = &e->nodes[i];
	double a, b;

	if (n->op == OP_NUMBER)
		return n->number;
	if (n->op == OP_NAME)
		return names->value(names->ctx, n->name);
	a = evaluate(e, names, n->left);
	if (n->op == OP_NOT)
		return isnan(a) ? NAN : !a;
	if ((n->op == OP_AND && a == 0) || (n->op == OP_OR && a == 1))
		return a;
	b = n->op == OP_MINUS ? a : evaluate(e, names, n->right);
	if (n->op == OP_AND)
		return b == 0 ? 0 : isnan(a) ? a : b;
	if (n->op == OP_OR)
		return b == 1 ? 1 : isnan(a) ? a : b;
	if (isnan(a) || isnan(b))
		return NAN;
	return n->op >= OP_LT ? compare(n->op, a, b) : calculate(n->op, a, b);
}

enum fw_truth fw_expr_judge(const struct fw_expr *e, const struct fw_expr_names *names)
{
	double v = evaluate(e, names, e->root);

	return isnan(v) ? FW_UNKNOWN : v != 0 ? FW_TRUE : FW_FALSE;
}

static bool named_before(const struct fw_expr *e, int i)
{
	for (int j = 0; j < i; j++)
		if (e->nodes[j].op == OP_NAME && e->nodes[j].name == e->nodes[i].name)
			return true;
	return false;
}

char *fw_expr_values(const struct fw_expr *e, const struct fw_expr_names *names)
{
	char *out = fw_strdup("");

	for (int i = 0; i < e->n; i++) {
		char value[40] = "unknown", *longer;
		double v;

		if (e->nodes[i].op != OP_NAME || named_before(e, i))
			continue;
		v = names->value(names->ctx, e->nodes[i].name);
		if (!isnan(v))
			snprintf(value, sizeof(value), "%.6g", v);
		longer = fw_asprintf("%s%s%.*s = %s", out, *out ? ", " : "",
				     FW_STR_ARG(e->names[i]), value);
		free(out);
		out = longer;
	}
	return out;
}
