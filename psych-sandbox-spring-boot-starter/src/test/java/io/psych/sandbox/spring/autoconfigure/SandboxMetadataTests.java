package io.psych.sandbox.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.tool.ToolCapability;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the configuration metadata that this module ships for IDEs.
 */
class SandboxMetadataTests {

	private final JsonValue metadata = read("META-INF/spring-configuration-metadata.json");

	@Test
	void everyPropertyIsDescribed() {
		Map<String, JsonValue> properties = entries("properties");
		List<String> names = names("psych.sandbox", SandboxProperties.class).toList();
		assertThat(names).hasSizeGreaterThan(25);
		assertThat(properties).containsKeys(names.toArray(String[]::new));
		properties.forEach((name, property) -> assertThat(property.string("description")).as(name)
			.isNotNull()
			.endsWith(".")
			.doesNotStartWith("The ")
			.doesNotStartWith("A "));
	}

	@Test
	void defaultsOfLimitsAreThoseOfTheLibrary() {
		Map<String, Object> defaults = new LinkedHashMap<>();
		entries("properties").forEach((name, property) -> {
			JsonValue value = property.member("defaultValue");
			if (name.startsWith("psych.sandbox.limits.") && value != null) {
				defaults.put(name, String.valueOf(value.toJava()));
			}
		});
		// The groups are components of the limits, and none of the properties
		assertThat(defaults).hasSize(Limits.class.getRecordComponents().length - 2
				+ CallLimits.class.getRecordComponents().length + ArtifactLimits.class.getRecordComponents().length);
		SandboxProperties properties = new Binder(new MapConfigurationPropertySource(defaults))
			.bind("psych.sandbox", SandboxProperties.class)
			.get();
		assertThat(properties.defaultLimits()).isEqualTo(Limits.defaults());
	}

	@Test
	void hintsNameWhatIsAccepted() {
		Map<String, JsonValue> hints = entries("hints");
		assertThat(values(hints.get("psych.sandbox.backend"))).containsExactly("auto", "bubblewrap", "container",
				"process");
		assertThat(values(hints.get("psych.sandbox.require.level"))).containsExactly("isolated", "process");
		assertThat(values(hints.get("psych.sandbox.require.guarantees")))
			.containsExactlyElementsOf(Stream.of(Guarantee.values()).map(Guarantee::id).toList());
		assertThat(values(hints.get("psych.sandbox.tools.capabilities.values")))
			.containsExactlyElementsOf(Stream.of(ToolCapability.values()).map(ToolCapability::id).toList());
	}

	@Test
	void autoConfigurationsAreListedAndExist() throws IOException {
		String imports = text("META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports");
		assertThat(imports.lines()).containsExactlyInAnyOrder(SandboxA2aAutoConfiguration.class.getName(),
				SandboxAutoConfiguration.class.getName(), SandboxBlobAutoConfiguration.class.getName(),
				SandboxEndpointAutoConfiguration.class.getName(), SandboxHealthAutoConfiguration.class.getName(),
				SandboxHttpAutoConfiguration.class.getName(), SandboxJdbcAutoConfiguration.class.getName(),
				SandboxMcpClientAutoConfiguration.class.getName(), SandboxMcpServerAutoConfiguration.class.getName(),
				SandboxObservationAutoConfiguration.class.getName(), SandboxSpringAiAutoConfiguration.class.getName());
	}

	private static Stream<String> names(String prefix, Class<?> type) {
		return Stream.of(type.getRecordComponents()).flatMap((component) -> names(prefix, component));
	}

	private static Stream<String> names(String prefix, RecordComponent component) {
		String name = prefix + "." + component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
		boolean group = component.getType().isRecord();
		return group ? names(name, component.getType()) : Stream.of(name);
	}

	private Map<String, JsonValue> entries(String kind) {
		Map<String, JsonValue> entries = new LinkedHashMap<>();
		for (Object entry : (List<?>) this.metadata.members().get(kind)) {
			JsonValue value = JsonValue.of(entry);
			entries.put(value.string("name"), value);
		}
		return entries;
	}

	private static List<Object> values(JsonValue hint) {
		List<Object> values = new ArrayList<>();
		for (Object value : (List<?>) hint.members().get("values")) {
			values.add(((Map<?, ?>) value).get("value"));
		}
		return values;
	}

	private static JsonValue read(String name) {
		try {
			return JsonValue.parse(text(name));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/** Read the resource of this module among those of the same name on the classpath. */
	private static String text(String name) throws IOException {
		ClassLoader loader = SandboxProperties.class.getClassLoader();
		String home = SandboxProperties.class.getProtectionDomain().getCodeSource().getLocation().toString();
		for (URL url : Collections.list(loader.getResources(name))) {
			if (url.toString().contains(home)) {
				try (InputStream stream = url.openStream()) {
					return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
				}
			}
		}
		throw new AssertionError(name + " is not among the classes of this module");
	}

}
