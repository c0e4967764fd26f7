package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What of the catalogue no program can bring about by itself: faults of the host, and
 * programs that need a host of a particular make. Each gives facts, which the head of its
 * row judges.
 */
final class Scenarios {

	private final Map<String, Scenario> scenarios = new HashMap<>();

	private final HostControls host;

	private final Unconfined unconfined;

	private final Map<String, Subject> subjects;

	private final Path folder;

	Scenarios(HostControls host, Unconfined unconfined, Map<String, Subject> subjects, Path folder) {
		this.host = host;
		this.unconfined = unconfined;
		this.subjects = subjects;
		this.folder = folder;
		StagedScenarios.register(this.scenarios);
		HostScenarios.register(this.scenarios);
		LifetimeScenarios.register(this.scenarios);
	}

	/**
	 * Something done to a host, or on one.
	 */
	@FunctionalInterface
	interface Scenario {

		/**
		 * Do it.
		 * @param stage where
		 * @return what came of it
		 */
		Map<String, @Nullable Object> play(Context stage) throws IOException, InterruptedException;

	}

	/**
	 * What a scenario works with.
	 *
	 * @param subject the backend
	 * @param others all backends
	 * @param row the row
	 * @param token marks what belongs to it
	 * @param host what belongs to the host
	 * @param unconfined runs controls
	 * @param folder for whatever it needs on disk
	 */
	record Context(Subject subject, Map<String, Subject> others, HostileProgram row, String token, HostControls host,
			Unconfined unconfined, Path folder) {

		/**
		 * Return the row's program, or one of them, as it runs in a sandbox.
		 * @param variant its number
		 * @param more what it is told beside the usual
		 */
		String program(int variant, Map<String, Object> more) {
			return HostileProgram.text(this.row.variants(HostileProgram.Role.SCENARIO).get(variant), told(false, more));
		}

		/**
		 * Run the row's program unconfined.
		 * @param more what it is told beside the usual
		 * @return what it found
		 */
		@Nullable Object control(Map<String, Object> more) throws IOException, InterruptedException {
			JsonValue facts = this.unconfined.run(
					HostileProgram.text(this.row.variants(HostileProgram.Role.SCENARIO).get(0), told(true, more)),
					false);
			JsonValue value = facts.member("value");
			if (value == null) {
				throw new IllegalStateException("the control of " + this.row + " told nothing: " + facts.toJson());
			}
			return value;
		}

		private JsonValue told(boolean control, Map<String, Object> more) {
			Map<String, @Nullable Object> all = new LinkedHashMap<>(this.host.tell(this.token, control).members());
			all.putAll(more);
			return JsonValue.of(all);
		}

	}

	JsonValue run(String name, Subject subject, HostileProgram row, String token)
			throws IOException, InterruptedException {
		Scenario scenario = this.scenarios.get(name);
		if (scenario == null) {
			throw new IllegalArgumentException("there is no scenario " + name);
		}
		return JsonValue.of(scenario
			.play(new Context(subject, this.subjects, row, token, this.host, this.unconfined, this.folder)));
	}

	/**
	 * Return what is known of an execution.
	 */
	static Map<String, @Nullable Object> facts(RunResult result) {
		return new LinkedHashMap<>(result.toJson().members());
	}

}
