package io.psych.sandbox.attachment;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The handle of an attachment, taken apart. That it can be taken apart says nothing of
 * whether there is such an attachment.
 *
 * @param slot what kind of thing it is
 * @param execution the execution that left it behind
 * @param number tells it from others of the execution
 */
record Handle(Slot slot, String execution, int number) {

	private static final Pattern FORM = Pattern.compile("(stdout|stderr|value|artifact)-([0-9a-f]{32})-(\\d{1,5})");

	static @Nullable Handle parse(String text) {
		Matcher matcher = FORM.matcher(text);
		if (!matcher.matches()) {
			return null;
		}
		Handle handle = new Handle(Slot.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)), matcher.group(2),
				Integer.parseInt(matcher.group(3)));
		// One attachment has one handle: no leading zeros.
		return handle.toString().equals(text) ? handle : null;
	}

	@Override
	public String toString() {
		return this.slot.prefix() + "-" + this.execution + "-" + this.number;
	}

}
