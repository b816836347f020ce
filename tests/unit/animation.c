// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of animations' sections: whole, cut, with blanks for bars, and what is none. */
#include "model/animation.h"

#include "tap.h"

static struct fw_animation a;

static bool parse(const char *name)
{
	return fw_animation_parse(fw_str(name), &a);
}

static bool is(struct fw_str s, const char *want)
{
	if (fw_str_eq(s, fw_str(want)))
		return true;
	diag("got \"%.*s\", want \"%s\"", FW_STR_ARG(s), want ? want : "(absent)");
	return false;
}

static void anim(void)
{
	ok(parse("Anim|12|Obj|ImageView{a|b}|alpha:0.0->1.0,x:-1->1e+5,+2|LinearInterpolator|"
		 "300ms"),
	   "Anim");
	ok(a.source == FW_ANIM && is(a.id, "12") && is(a.type, "Obj"), "its id and type");
	ok(is(a.target, "ImageView{a|b}"), "a target with a bar");
	ok(is(a.properties, "alpha:0.0->1.0,x:-1->1e+5") && a.n_properties == 4, "properties, +2");
	ok(is(a.property, "alpha") && is(a.from, "0.0") && is(a.to, "1.0"), "the first of them");
	ok(is(a.ease, "LinearInterpolator") && !a.factors.p && a.planned_ns == 300000000 && !a.cut,
	   "its interpolator and duration");
	ok(parse("Anim|7|Val||:0->1e+5|Path|0ms") && !a.target.p && !a.property.p &&
		   is(a.to, "1e+5") && a.n_properties == 1 && a.planned_ns == 0,
	   "a ValueAnimator has no target, and 1e+5 is a value");
	ok(parse("Anim|7|Val|t|p:(1,2)->(3,4)|Path|xms") && is(a.to, "(3,4)") &&
		   a.n_properties == 1 && a.planned_ns == FW_ANIMATION_UNKNOWN,
	   "commas within parentheses");
}

static void folme(void)
{
	ok(parse("Folme|9|open|card@1f|scaleX:1->2,+1|spring(0.9,0.3)") && a.source == FW_FOLME &&
		   is(a.id, "9") && is(a.type, "open") && is(a.target, "card@1f") &&
		   is(a.property, "scaleX") && a.n_properties == 2 && is(a.ease, "spring") &&
		   is(a.factors, "0.9,0.3") && a.planned_ns == FW_ANIMATION_UNKNOWN,
	   "Folme");
	ok(parse("Folme|9|||+3|") && a.n_properties == 3 && !a.properties.p && !a.ease.p,
	   "only how many properties");
}

static void blanks(void)
{
	ok(parse("Anim 12 Obj Text View{x} alpha:0->1 Linear 300ms") && is(a.id, "12") &&
		   is(a.target, "Text View{x}") && is(a.properties, "alpha:0->1") &&
		   is(a.ease, "Linear") && a.planned_ns == 300000000,
	   "blanks for bars");
	ok(parse("Folme 9 open card x:1->2 spring(0.9, 0.3)") && is(a.type, "open") &&
		   is(a.target, "card") && is(a.to, "2") && is(a.ease, "spring") &&
		   is(a.factors, "0.9, 0.3"),
	   "and for those of Folme");
}

static void cut(void)
{
	ok(parse("Anim|12|Obj|ImageView|alpha:0.0->...") && a.cut && is(a.target, "ImageView") &&
		   is(a.properties, "alpha:0.0->...") && !a.ease.p &&
		   a.planned_ns == FW_ANIMATION_UNKNOWN,
	   "cut in the properties");
	ok(parse("Anim|12|O...") && a.cut && is(a.type, "O...") && !a.target.p, "cut in the type");
	ok(!parse("Anim|1...") && !parse("Folme|..."),
	   "cut in the id: which one it is nobody knows");
	ok(parse("Folme|9|open|card|x:1->2|spring(0.\xe2\x80\xa6") && a.cut &&
		   is(a.factors, "0.\xe2\x80\xa6"),
	   "cut by an ellipsis");
}

static void none(void)
{
	ok(!parse("Anim") && !parse("Anim|") && !parse("Animator|1|Obj") && !parse("") &&
		   !parse("Anim||Obj|x|y|z|1ms") && !parse("animator:alpha"),
	   "none");
	ok(!parse("Anim|12|Other|x|y|z|1ms"), "a type that is none");
}

static void marks(void)
{
	struct fw_animation_mark m;

	ok(fw_animation_mark(FW_STR("S|40|Anim|12|Obj|x|a:0->1|L|9ms|77\n"), &m) == 1 && m.begin &&
		   m.pid == 40 && m.cookie == 77 && !m.track.p &&
		   is(m.name, "Anim|12|Obj|x|a:0->1|L|9ms"),
	   "S");
	ok(fw_animation_mark(FW_STR("F|40|Folme 9 a b c d(1)|-7"), &m) == 1 && !m.begin &&
		   m.cookie == -7,
	   "F");
	ok(fw_animation_mark(FW_STR("G|40|animations|Folme|9|a|b|c|d(1)|7"), &m) == 1 && m.begin &&
		   is(m.track, "animations") && is(m.name, "Folme|9|a|b|c|d(1)"),
	   "G");
	ok(fw_animation_mark(FW_STR("H|40|animations|7"), &m) == 1 && !m.begin && !m.name.p &&
		   m.cookie == 7,
	   "H");
	ok(fw_animation_mark(FW_STR("S|40|Anim|12|Obj|x|a:0->1|L|9ms"), &m) == -1, "no cookie");
	ok(fw_animation_mark(FW_STR("S|x|Anim|12|Obj|x|a:0->1|L|9ms|1"), &m) == -1, "no process");
	ok(!fw_animation_mark(FW_STR("S|40|animator|1"), &m) &&
		   !fw_animation_mark(FW_STR("E"), &m) &&
		   !fw_animation_mark(FW_STR("B|40|Anim|12|Obj"), &m) &&
		   !fw_animation_mark(FW_STR(""), &m),
	   "other marks");
}

int main(void)
{
	anim();
	folme();
	blanks();
	cut();
	none();
	marks();
	return done_testing();
}
