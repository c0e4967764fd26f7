package io.psych.sandbox.tool;

/**
 * How much a signature shows of a tool.
 *
 * @param description characters of its description
 * @param remark characters of what is said of one argument or member, 0 for nothing
 * @param literals characters of all values of one enumeration
 * @param members arguments, or members of one object
 * @param depth objects within objects
 */
record Detail(int description, int remark, int literals, int members, int depth) {

	/** For who asks for this one tool. */
	static final Detail WHOLE = new Detail(2_000, 400, 4_000, 200, 12);

	/** For a list of tools that has room. */
	static final Detail LISTED = new Detail(240, 160, 300, 40, 4);

	/** For tools whose names tell what they do. */
	static final Detail PLAIN = new Detail(100, 0, 100, 15, 4);

	/** For a list that has not. */
	static final Detail SHORT = new Detail(100, 0, 100, 15, 0);

}
