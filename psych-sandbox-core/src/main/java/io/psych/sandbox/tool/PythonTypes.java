package io.psych.sandbox.tool;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Says in Python's types which values fit a JSON Schema, by the table in
 * {@code docs/values.md}. Objects become classes, which are defined before they are used
 * or else quoted.
 */
final class PythonTypes {

	private static final String ANY = "Any";

	private static final String NEVER = "Never";

	private static final String NONE = "None";

	/** Lists in lists go on where objects in objects end. */
	private static final int MORE_LISTS = 2;

	/** A class within classes is called by all of them, up to so many characters. */
	private static final int MOST_NAME = 60;

	private final Schemas schemas;

	private final String prefix;

	private final Detail detail;

	private final boolean given;

	private final TypeNames names;

	/** The classes, in the order in which they can be defined. */
	private final List<String> definitions = new ArrayList<>();

	/** By the very schema they stand for. */
	private final Map<@Nullable Object, String> classes = new IdentityHashMap<>();

	private final Set<String> unfinished = new HashSet<>();

	private final Set<String> following = new HashSet<>();

	/** Whether what was rendered last uses a class that has no definition yet. */
	private boolean forward;

	/** What is to be said of what was rendered last. */
	private Set<String> notes = new LinkedHashSet<>();

	/**
	 * Create the types of one schema.
	 * @param schemas the schema
	 * @param prefix what the names of classes begin with
	 * @param detail how much is shown
	 * @param given whether the program gives these values rather than receives them
	 * @param names the names of classes in the same text
	 */
	PythonTypes(Schemas schemas, String prefix, Detail detail, boolean given, TypeNames names) {
		this.schemas = schemas;
		this.prefix = prefix;
		this.detail = detail;
		this.given = given;
		this.names = names;
	}

	/**
	 * Return the definitions of the classes that were used so far, each ending in a line
	 * end.
	 */
	List<String> definitions() {
		return this.definitions;
	}

	/**
	 * Return the type of what fits a schema.
	 * @param schema the schema
	 * @param name what an object of that type would be called
	 * @return an expression that has its value where it stands
	 */
	String of(@Nullable Object schema, String name) {
		return quotedWhereNeeded(schema, name, 0);
	}

	private String quotedWhereNeeded(@Nullable Object schema, String name, int depth) {
		boolean before = this.forward;
		this.forward = false;
		String type = type(schema, name, depth);
		String usable = this.forward ? PythonText.literal(type) : type;
		this.forward = before;
		return usable;
	}

	/**
	 * Return what is to be said of the type that was rendered last, and forget it.
	 */
	Collection<String> takeNotes() {
		Set<String> taken = this.notes;
		this.notes = new LinkedHashSet<>();
		return taken;
	}

	/**
	 * Return the class of all arguments together.
	 */
	String arguments(Map<String, @Nullable Object> members, Collection<String> required) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("properties", members);
		object.put("required", List.copyOf(required));
		return define(object, this.prefix + "Arguments", this.schemas.root(), 0);
	}

	/**
	 * Return a class of some of the arguments.
	 */
	String others(Map<String, @Nullable Object> members, Collection<String> required) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("properties", members);
		object.put("required", List.copyOf(required));
		return define(object, this.prefix + "Others", null, 0);
	}

	private String type(@Nullable Object schema, String name, int depth) {
		return alternatives(schema, name, depth).toString();
	}

	private Alternatives alternatives(@Nullable Object schema, String name, int depth) {
		String reference = this.schemas.reference(schema);
		Object node = (reference != null) ? this.schemas.target(reference) : schema;
		if (node == null && reference != null) {
			this.notes.add("its shape is defined elsewhere");
			return new Alternatives().add(ANY);
		}
		String known = this.classes.get(node);
		if (known != null) {
			this.forward |= this.unfinished.contains(known);
			return new Alternatives().add(known);
		}
		if (reference == null) {
			return alternatives(this.schemas.resolve(schema), name, node, depth);
		}
		if (this.following.size() >= Schemas.MOST_REFERENCES || !this.following.add(reference)) {
			this.notes.add("may hold more of itself, which is not shown");
			return new Alternatives().add(ANY);
		}
		String last = TypeNames.part(reference.substring(reference.lastIndexOf('/') + 1));
		String named = (last.isEmpty() || last.startsWith(this.prefix)) ? last : this.prefix + last;
		Alternatives alternatives = alternatives(this.schemas.resolve(schema), named.isEmpty() ? name : named, node,
				depth);
		this.following.remove(reference);
		return alternatives;
	}

	private Alternatives alternatives(Map<String, @Nullable Object> schema, String name, @Nullable Object node,
			int depth) {
		Alternatives alternatives = new Alternatives();
		if (!this.schemas.isComplete()) {
			this.notes.add("too entangled to be shown");
			return alternatives.add(ANY);
		}
		if (schema == Schemas.NOTHING) {
			return alternatives;
		}
		if (schema.get("enum") instanceof List<?> values) {
			enumeration(alternatives, values, Schemas.strings(schema.get("type")));
		}
		else if (Schemas.list(schema.get("anyOf")).stream().anyMatch(Schemas::shapes)) {
			union(alternatives, schema, name, depth);
		}
		else {
			plain(alternatives, schema, name, node, depth);
		}
		// Only a result can be null by OpenAPI's word: arguments are checked by JSON
		// Schema.
		if (!this.given && Boolean.TRUE.equals(schema.get("nullable"))) {
			alternatives.add(NONE);
		}
		return alternatives;
	}

	private void union(Alternatives alternatives, Map<String, @Nullable Object> schema, String name, int depth) {
		Map<String, @Nullable Object> common = new LinkedHashMap<>(schema);
		common.remove("anyOf");
		boolean shaped = Schemas.shapes(common);
		for (Object way : Schemas.list(schema.get("anyOf"))) {
			alternatives
				.addAll(shaped ? alternatives(this.schemas.merge(common, this.schemas.resolve(way)), name, null, depth)
						: alternatives(way, name, depth));
		}
	}

	private void enumeration(Alternatives alternatives, List<?> values, List<String> types) {
		List<Object> fitting = new ArrayList<>();
		for (Object value : values) {
			if (types.isEmpty() || types.stream().anyMatch((type) -> isOf(value, type))) {
				if (value == null) {
					alternatives.add(NONE);
				}
				else {
					fitting.add(value);
				}
			}
		}
		boolean literal = fitting.stream()
			.allMatch((value) -> value instanceof String || value instanceof Boolean || isInteger(value));
		int characters = 0;
		List<String> shown = new ArrayList<>();
		for (Object value : fitting) {
			String text = PythonText.literal(value);
			characters += text.length() + 2;
			if (characters > this.detail.literals()) {
				break;
			}
			shown.add(text);
		}
		if (literal && shown.size() == fitting.size()) {
			shown.forEach(alternatives::addLiteral);
			return;
		}
		fitting.forEach((value) -> alternatives.add(typeOf(value)));
		this.notes.add("one of " + String.join(", ", shown)
				+ ((shown.size() < fitting.size()) ? ", ... (" + fitting.size() + " values)" : ""));
	}

	private static boolean isOf(@Nullable Object value, String type) {
		return switch (type) {
			case "null" -> value == null;
			case "boolean" -> value instanceof Boolean;
			case "string" -> value instanceof String;
			case "integer" -> isInteger(value) || (value instanceof Double number && number == Math.rint(number));
			case "number" -> value instanceof Number;
			case "array" -> value instanceof List;
			case "object" -> value instanceof Map;
			default -> true;
		};
	}

	private static boolean isInteger(@Nullable Object value) {
		return value instanceof Number && !(value instanceof Double) && !(value instanceof BigDecimal);
	}

	private static String typeOf(Object value) {
		if (value instanceof Map) {
			return "dict[str, Any]";
		}
		if (value instanceof List) {
			return "list[Any]";
		}
		if (value instanceof Boolean) {
			return "bool";
		}
		return (value instanceof String) ? "str" : isInteger(value) ? "int" : "float";
	}

	private void plain(Alternatives alternatives, Map<String, @Nullable Object> schema, String name,
			@Nullable Object node, int depth) {
		List<String> types = Schemas.strings(schema.get("type"));
		if (types.isEmpty()) {
			types = implied(schema);
		}
		for (String type : types) {
			switch (type) {
				case "null" -> alternatives.add(NONE);
				case "boolean" -> alternatives.add("bool");
				case "string" -> alternatives.add("str");
				case "integer" -> alternatives.add("int");
				case "number" -> alternatives.add("int").add("float");
				case "array" -> alternatives.add(array(schema, name, depth));
				case "object" -> alternatives.add(object(schema, name, node, depth));
				default -> {
					this.notes.add("of a type JSON Schema has not");
					alternatives.add(ANY);
				}
			}
		}
		if (types.isEmpty()) {
			alternatives.add(ANY);
		}
	}

	private static List<String> implied(Map<String, @Nullable Object> schema) {
		List<String> types = new ArrayList<>();
		if (schema.containsKey("properties") || schema.containsKey("additionalProperties")
				|| schema.containsKey("patternProperties") || schema.containsKey("required")) {
			types.add("object");
		}
		if (schema.containsKey("items") || schema.containsKey("prefixItems")) {
			types.add("array");
		}
		return types;
	}

	private String array(Map<String, @Nullable Object> schema, String name, int depth) {
		List<?> prefix = Schemas.list(schema.get("prefixItems"));
		if (depth >= this.detail.depth() + MORE_LISTS && (!prefix.isEmpty() || schema.containsKey("items"))) {
			return cut("list[Any]");
		}
		Object rest = schema.get("items");
		if (prefix.isEmpty()) {
			return schema.containsKey("items") ? "list[" + type(rest, name + "Item", depth + 1) + "]" : "list[Any]";
		}
		List<String> each = new ArrayList<>();
		Alternatives any = new Alternatives();
		for (Object element : prefix) {
			Alternatives one = alternatives(element, name + "Item", depth + 1);
			each.add(one.toString());
			any.addAll(one);
		}
		boolean closed = rest == null || Boolean.FALSE.equals(rest);
		if (closed && this.given) {
			return "tuple[" + String.join(", ", each) + "]";
		}
		if (!closed) {
			Alternatives others = alternatives(rest, name + "Item", depth + 1);
			each.add(others + ", ...");
			any.addAll(others);
		}
		// What arrives is a list, whatever the schema calls it.
		return "Annotated[list[" + any + "], " + PythonText.literal("[" + String.join(", ", each) + "]") + "]";
	}

	private String object(Map<String, @Nullable Object> schema, String name, @Nullable Object node, int depth) {
		Map<String, @Nullable Object> properties = Schemas.members(schema.get("properties"));
		if (!properties.isEmpty()) {
			return (depth >= this.detail.depth()) ? cut("dict[str, Any]") : define(schema, name, node, depth);
		}
		if (!Schemas.required(schema).isEmpty()) {
			this.notes.add("has " + names(Schemas.required(schema)));
		}
		Alternatives values = new Alternatives();
		if (depth >= this.detail.depth() + MORE_LISTS) {
			return cut("dict[str, Any]");
		}
		Map<String, @Nullable Object> patterns = Schemas.members(schema.get("patternProperties"));
		patterns.values().forEach((value) -> values.addAll(alternatives(value, name + "Value", depth + 1)));
		if (!patterns.isEmpty()) {
			this.notes.add("names of pattern " + names(patterns.keySet()));
		}
		Object others = schema.get("additionalProperties");
		if (others != null) {
			values.addAll(alternatives(others, name + "Value", depth + 1));
		}
		boolean anything = others == null && patterns.isEmpty();
		String names = schema.containsKey("propertyNames") ? names(schema.get("propertyNames"), name) : "str";
		return "dict[" + names + ", " + (anything ? ANY : values) + "]";
	}

	private String names(@Nullable Object schema, String name) {
		Map<String, @Nullable Object> resolved = this.schemas.resolve(schema);
		if (resolved.containsKey("enum")) {
			return type(schema, name, 0);
		}
		List<String> bounds = SchemaWords.bounds(resolved);
		if (!bounds.isEmpty()) {
			this.notes.add("names of " + String.join(", ", bounds));
		}
		return "str";
	}

	private String names(Collection<String> names) {
		return PythonText.prose(
				String.join(", ", names.stream().limit(this.detail.members()).map(PythonText::literal).toList()),
				Math.max(this.detail.remark(), 1));
	}

	private String cut(String type) {
		this.notes.add("not shown deeper");
		return type;
	}

	/** Define a class for an object, and return its name. */
	private String define(Map<String, @Nullable Object> schema, String wanted, @Nullable Object node, int depth) {
		String name = this.names.take(wanted);
		if (node != null) {
			this.classes.put(node, name);
		}
		this.unfinished.add(name);
		Set<String> notesOfOthers = this.notes;
		boolean forwardOfOthers = this.forward;
		Map<String, @Nullable Object> properties = Schemas.members(schema.get("properties"));
		Set<String> required = new HashSet<>(Schemas.required(schema));
		List<Member> members = new ArrayList<>();
		int left = 0;
		for (String property : PythonNames.inOrder(properties.keySet(), required)) {
			if (members.size() >= this.detail.members()) {
				left++;
				continue;
			}
			this.notes = new LinkedHashSet<>();
			Object member = properties.get(property);
			String type = quotedWhereNeeded(member, memberName(name, property), depth + 1);
			if (!type.equals(NEVER) || required.contains(property)) {
				members.add(new Member(property, required.contains(property) ? type : "NotRequired[" + type + "]",
						remark(this.schemas.resolve(member), this.notes)));
			}
		}
		this.notes = new LinkedHashSet<>();
		List<String> more = more(schema, name, left, depth);
		this.definitions.add(definition(name, members, more));
		this.notes = notesOfOthers;
		this.forward = forwardOfOthers;
		this.unfinished.remove(name);
		return name;
	}

	private String memberName(String name, String property) {
		String part = TypeNames.part(property);
		String longName = name + (part.isEmpty() ? "Member" : part);
		return (longName.length() <= MOST_NAME) ? longName : this.prefix + part;
	}

	private List<String> more(Map<String, @Nullable Object> schema, String name, int left, int depth) {
		List<String> more = new ArrayList<>();
		if (left > 0) {
			more.add("and " + left + " more that are not shown");
		}
		Object others = schema.get("additionalProperties");
		if (others instanceof Map && this.detail.remark() > 0) {
			more.add("others: " + type(others, name + "Value", depth + 1));
		}
		Schemas.members(schema.get("patternProperties")).forEach((pattern, value) -> {
			if (this.detail.remark() > 0 && more.size() < this.detail.members()) {
				more.add("those of pattern " + PythonText.prose(pattern, this.detail.remark()) + ": "
						+ type(value, name + "Value", depth + 1));
			}
		});
		return more;
	}

	/**
	 * Return what is said of one argument or member.
	 * @param schema its resolved schema
	 * @param notes what the type can't say
	 * @return one line, empty when there is nothing to be said
	 */
	String remark(Map<String, @Nullable Object> schema, Collection<String> notes) {
		int most = this.detail.remark();
		if (most == 0) {
			return "";
		}
		List<String> remarks = new ArrayList<>();
		String description = (schema.get("description") instanceof String text) ? text
				: (schema.get("title") instanceof String title) ? title : "";
		String prose = PythonText.prose(description, most);
		if (!prose.isEmpty()) {
			remarks
				.add((prose.endsWith(".") && !prose.endsWith("..")) ? prose.substring(0, prose.length() - 1) : prose);
		}
		if (Boolean.TRUE.equals(schema.get("deprecated"))) {
			remarks.add("deprecated");
		}
		if (!schema.containsKey("enum")) {
			remarks.addAll(SchemaWords.bounds(schema));
		}
		remarks.addAll(notes);
		List<?> examples = Schemas.list(schema.get("examples"));
		Object example = examples.isEmpty() ? schema.get("example") : examples.get(0);
		if (example != null && !schema.containsKey("enum")) {
			String literal = PythonText.literal(example);
			if (literal.length() <= most / 2) {
				remarks.add("for example " + literal);
			}
		}
		return String.join("; ", remarks);
	}

	private static String definition(String name, List<Member> members, List<String> more) {
		boolean plain = members.stream().allMatch((member) -> PythonNames.isMember(member.name()));
		StringBuilder text = new StringBuilder();
		text.append(plain ? "class " + name + "(TypedDict):\n" : name + " = TypedDict(\"" + name + "\", {\n");
		for (Member member : members) {
			text.append("    ")
				.append(plain ? member.name() : PythonText.literal(member.name()))
				.append(": ")
				.append(member.type())
				.append(plain ? "" : ",")
				.append(member.remark().isEmpty() ? "" : "  # " + member.remark())
				.append('\n');
		}
		more.forEach((line) -> text.append("    # ").append(line).append('\n'));
		if (plain && members.isEmpty()) {
			text.append("    pass\n");
		}
		return text.append(plain ? "" : "})\n").toString();
	}

	/**
	 * One member of an object.
	 *
	 * @param name its name in JSON
	 * @param type its type, marked when it may be absent
	 * @param remark what is said of it
	 */
	private record Member(String name, String type, String remark) {

	}

	/**
	 * The parts of a union, each once.
	 */
	private static final class Alternatives {

		private final Set<String> literals = new LinkedHashSet<>();

		private final Set<String> types = new LinkedHashSet<>();

		Alternatives add(String type) {
			this.types.add(type);
			return this;
		}

		void addLiteral(String literal) {
			this.literals.add(literal);
		}

		void addAll(Alternatives others) {
			this.literals.addAll(others.literals);
			this.types.addAll(others.types);
		}

		/** {@code None} comes last, as everybody writes it. */
		@Override
		public String toString() {
			if (this.types.contains(ANY)) {
				return ANY;
			}
			List<String> parts = new ArrayList<>();
			if (!this.literals.isEmpty()) {
				parts.add("Literal[" + String.join(", ", this.literals) + "]");
			}
			this.types.stream().filter((type) -> !type.equals(NONE)).forEach(parts::add);
			if (this.types.contains(NONE)) {
				parts.add(NONE);
			}
			return parts.isEmpty() ? NEVER : String.join(" | ", parts);
		}

	}

}
