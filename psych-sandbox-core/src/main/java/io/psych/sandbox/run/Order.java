package io.psych.sandbox.run;

import java.util.List;

import io.psych.sandbox.attachment.Keeper;
import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;

/**
 * One program whose terms are settled.
 *
 * @param execution the name of the execution
 * @param program the text of the program
 * @param limits its limits
 * @param network whether it keeps the host's network
 * @param bindings the tools it may call
 * @param inputs files that lie in its workspace when it begins, which were checked
 * @param keeper keeps what it leaves behind, or {@code null} when nothing is kept
 * @param preserve whether it fails when not all of that can be kept
 * @since 0.1.0
 */
public record Order(String execution, String program, Limits limits, boolean network, Bindings bindings,
		List<InputFile.Bytes> inputs, @Nullable Keeper keeper, boolean preserve) {

	/**
	 * Return an order of which nothing is kept and that calls no tools.
	 * @param program the text of the program
	 * @param limits its limits
	 * @return the order
	 */
	static Order of(String program, Limits limits) {
		return new Order("", program, limits, false, Bindings.NONE, List.of(), null, false);
	}

}
