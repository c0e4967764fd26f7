package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

import org.springframework.core.io.ResourceLoader;

/**
 * JSON or YAML in a property, or in a resource that a property names.
 */
final class StructuredText {

	private static final Pattern LOCATION = Pattern.compile("(?:classpath|file):\\S+");

	private static final Pattern JSON = Pattern.compile("\\s*[\\[{].*", Pattern.DOTALL);

	private StructuredText() {
	}

	/**
	 * Read a value.
	 * @param text the value as JSON or YAML, or the location of a resource that holds it
	 * @param resources where resources are
	 * @return the value
	 * @throws IllegalArgumentException if it can't be read; the message continues a
	 * sentence that begins with the text
	 */
	static JsonValue parse(String text, ResourceLoader resources) {
		String content = LOCATION.matcher(text.strip()).matches() ? read(text.strip(), resources) : text;
		return JSON.matcher(content).matches() ? json(content) : yaml(content);
	}

	private static String read(String location, ResourceLoader resources) {
		try {
			return resources.getResource(location).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("can't be read: " + ex.getMessage(), ex);
		}
	}

	/** YAML in flow style also begins with a brace. */
	private static JsonValue json(String content) {
		try {
			return JsonValue.parse(content);
		}
		catch (JsonFormatException notJson) {
			try {
				return yaml(content);
			}
			catch (IllegalArgumentException notYaml) {
				throw new IllegalArgumentException("is neither JSON nor YAML: " + notJson.getMessage(), notJson);
			}
		}
	}

	private static JsonValue yaml(String content) {
		LoaderOptions options = new LoaderOptions();
		options.setAllowDuplicateKeys(false);
		try {
			return JsonValue.of(new Yaml(new SafeConstructor(options)).<Object>load(content));
		}
		catch (YAMLException | JsonFormatException ex) {
			throw new IllegalArgumentException("is neither JSON nor YAML: " + firstLine(ex), ex);
		}
	}

	private static String firstLine(RuntimeException ex) {
		String message = String.valueOf(ex.getMessage());
		int end = message.indexOf('\n');
		return (end < 0) ? message : message.substring(0, end);
	}

}
