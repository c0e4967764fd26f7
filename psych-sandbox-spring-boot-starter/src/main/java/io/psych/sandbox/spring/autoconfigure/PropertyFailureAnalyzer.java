package io.psych.sandbox.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Base of the analyzers that blame one property: they show the value as it was written
 * and where. Ordered first, because Boot's own analyzer also knows a failure to bind.
 *
 * @param <T> the type of the exception
 */
abstract class PropertyFailureAnalyzer<T extends Throwable> extends AbstractFailureAnalyzer<T> implements Ordered {

	private final Environment environment;

	PropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	/**
	 * Return the analysis of a property with a value that can't work.
	 * @param property the full name of the property
	 * @param value the value to show when the property is nowhere set
	 * @param problem why it can't work, with the punctuation that continues a sentence of
	 * the name and value
	 * @param fix what to do, an imperative sentence
	 * @param cause the exception
	 * @return the analysis
	 */
	FailureAnalysis analysis(String property, String value, String problem, String fix, T cause) {
		ConfigurationProperty source = find(property);
		boolean isHidden = value.equals(CredentialProperties.HIDDEN);
		String shown = (source != null && !isHidden) ? String.valueOf(source.getValue()) : value;
		String origin = (source != null && source.getOrigin() != null) ? " Origin: %s.".formatted(source.getOrigin())
				: "";
		return new FailureAnalysis("%s is '%s'%s.%s".formatted(property, shown, problem, origin),
				fix.replaceFirst("^Set it to ", "Set " + property + " to "), cause);
	}

	private @Nullable ConfigurationProperty find(String property) {
		// The names of tools are keys of a map, and have underscores.
		ConfigurationPropertyName name = ConfigurationPropertyName.isValid(property)
				? ConfigurationPropertyName.of(property) : ConfigurationPropertyName.adapt(property, '.');
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty found = source.getConfigurationProperty(name);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

}
