package io.psych.sandbox.tool;

import java.text.Normalizer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Which names can be functions of a program without shadowing anything. Says the same as
 * {@code usable} in {@code psych_bindings.py}.
 */
final class PythonNames {

	static final Set<String> KEYWORDS = Set.of("False", "None", "True", "and", "as", "assert", "async", "await",
			"break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
			"if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
			"with", "yield");

	/** What a program is given beside its tools. */
	private static final Set<String> OWN = Set.of("call_tool", "TOOLS", "ToolError");

	/**
	 * The names of the module {@code builtins} of CPython 3.9 to 3.14, and what
	 * {@code site} would add.
	 */
	private static final Set<String> BUILTINS = Set.of("ArithmeticError", "AssertionError", "AttributeError",
			"BaseException", "BaseExceptionGroup", "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning",
			"ChildProcessError", "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError",
			"ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError",
			"Exception", "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError", "FloatingPointError",
			"FutureWarning", "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError",
			"IndexError", "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError",
			"MemoryError", "ModuleNotFoundError", "NameError", "None", "NotADirectoryError", "NotImplemented",
			"NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError",
			"ProcessLookupError", "PythonFinalizationError", "RecursionError", "ReferenceError", "ResourceWarning",
			"RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning",
			"SystemError", "SystemExit", "TabError", "TimeoutError", "True", "TypeError", "UnboundLocalError",
			"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "UnicodeWarning",
			"UserWarning", "ValueError", "Warning", "WindowsError", "ZeroDivisionError", "_IncompleteInputError", "abs",
			"aiter", "all", "anext", "any", "ascii", "bin", "bool", "breakpoint", "bytearray", "bytes", "callable",
			"chr", "classmethod", "compile", "complex", "copyright", "credits", "delattr", "dict", "dir", "divmod",
			"enumerate", "eval", "exec", "exit", "filter", "float", "format", "frozenset", "getattr", "globals",
			"hasattr", "hash", "help", "hex", "id", "input", "int", "isinstance", "issubclass", "iter", "len",
			"license", "list", "locals", "map", "max", "memoryview", "min", "next", "object", "oct", "open", "ord",
			"pow", "print", "property", "quit", "range", "repr", "reversed", "round", "set", "setattr", "slice",
			"sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars", "zip");

	/** A letter to Java, and syntax by Unicode's rules for identifiers. */
	private static final int VERTICAL_TILDE = 0x2e2f;

	/** A part of identifiers since Unicode 15.1 only, as are two joiners nobody sees. */
	private static final int KATAKANA_MIDDLE_DOT = 0x30fb;

	private PythonNames() {
	}

	/**
	 * Return why a name can't be a function.
	 * @param name the name of a tool
	 * @return why, or {@code null} when it can be one
	 */
	static @Nullable String problem(String name) {
		if (KEYWORDS.contains(name)) {
			return "it is a keyword of Python";
		}
		if (OWN.contains(name)) {
			return "it would shadow what every program is given";
		}
		if (BUILTINS.contains(name)) {
			return "it would shadow a builtin of Python";
		}
		if (!isIdentifier(name)) {
			return "it is no identifier of Python";
		}
		if (name.startsWith("__") && name.endsWith("__")) {
			return "Python keeps names with two underscores on both sides for itself";
		}
		if (!Normalizer.isNormalized(name, Normalizer.Form.NFKC)) {
			return "Python would read it as `" + Normalizer.normalize(name, Normalizer.Form.NFKC) + "`";
		}
		return null;
	}

	/**
	 * Return whether an argument of that name can be given by its name.
	 */
	static boolean isArgument(String name) {
		return isIdentifier(name) && !KEYWORDS.contains(name) && !name.equals("__debug__")
				&& Normalizer.isNormalized(name, Normalizer.Form.NFKC);
	}

	/**
	 * Return whether a member of that name can stand in a class, which would rename one
	 * with two underscores before it.
	 */
	static boolean isMember(String name) {
		return isArgument(name) && !name.startsWith("__");
	}

	/**
	 * Return names in an order of their own, since members of JSON objects have none: the
	 * required ones first.
	 */
	static List<String> inOrder(Collection<String> names, Set<String> required) {
		return names.stream()
			.sorted(Comparator.comparing((String name) -> !required.contains(name)).thenComparing((name) -> name))
			.toList();
	}

	static boolean isIdentifier(String name) {
		if (name.isEmpty()) {
			return false;
		}
		int first = name.codePointAt(0);
		return (first == '_' || (Character.isUnicodeIdentifierStart(first) && first != VERTICAL_TILDE))
				&& name.codePoints().skip(1).allMatch(PythonNames::continuesIdentifier);
	}

	private static boolean continuesIdentifier(int point) {
		return Character.isUnicodeIdentifierPart(point) && !Character.isIdentifierIgnorable(point)
				&& point != VERTICAL_TILDE && point != KATAKANA_MIDDLE_DOT;
	}

}
