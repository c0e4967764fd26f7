package io.psych.sandbox.tool;

import java.util.List;
import java.util.Map;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Checks on the schemas of tools, for whoever writes them. A third party's schema is not
 * refused for what is found here: it is used as far as it can be.
 *
 * @since 0.1.0
 */
public final class ToolSchemas {

	private ToolSchemas() {
	}

	/**
	 * Return what is wrong with a schema, by the schema of schemas of its own draft.
	 * @param schema the schema
	 * @return what is wrong, a clause that continues a sentence about the schema, or
	 * {@code null}
	 */
	public static @Nullable String problem(JsonValue schema) {
		if (!schema.isObject()) {
			return "is not a JSON object";
		}
		String foreign = foreignReference(schema.toJava());
		if (foreign != null) {
			return "refers to " + foreign + ", and nothing is ever loaded from elsewhere";
		}
		String draft = schema.string("$schema");
		SpecificationVersion version = (draft != null) ? SpecificationVersion.fromDialectId(draft).orElse(null)
				: SpecificationVersion.DRAFT_2020_12;
		if (version == null) {
			return "names a draft of JSON Schema that is not known: " + draft;
		}
		SchemaRegistry registry = SchemaRegistry.withDefaultDialect(version);
		try {
			Schema meta = registry.getSchema(SchemaLocation.of(version.getDialectId()));
			List<Error> errors = meta.validate(schema.toJson(), InputFormat.JSON);
			if (!errors.isEmpty()) {
				Error first = errors.get(0);
				return "is no JSON Schema: " + first.getInstanceLocation() + " " + first.getMessage();
			}
			registry.getSchema(schema.toJson(), InputFormat.JSON).initializeValidators();
			return null;
		}
		catch (SchemaException ex) {
			return "can't be applied: " + ex.getMessage();
		}
	}

	private static @Nullable String foreignReference(@Nullable Object tree) {
		if (tree instanceof Map<?, ?> members) {
			for (Map.Entry<?, ?> member : members.entrySet()) {
				if (("$ref".equals(member.getKey()) || "$dynamicRef".equals(member.getKey()))
						&& member.getValue() instanceof String reference && !reference.startsWith("#")) {
					return reference;
				}
				String found = foreignReference(member.getValue());
				if (found != null) {
					return found;
				}
			}
		}
		else if (tree instanceof List<?> elements) {
			for (Object element : elements) {
				String found = foreignReference(element);
				if (found != null) {
					return found;
				}
			}
		}
		return null;
	}

}
