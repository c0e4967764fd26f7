package io.psych.sandbox.backend;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BackendSelectorTests {

	private final List<String> tried = new ArrayList<>();

	@Test
	void strongestThatProvesItselfIsTakenAndWeakerOnesAreNotTried() throws Exception {
		BackendSelector.Selected<Tried> selected = select(working("strong", Grade.ENFORCED),
				working("weak", Grade.UNVERIFIED));
		assertThat(selected.attempt().report().backend()).isEqualTo("strong");
		assertThat(selected.selection().chosen()).isEqualTo("strong");
		assertThat(selected.selection().candidates()).containsExactly(new BackendSelection.Candidate("strong", true,
				"its trial execution reached level isolated", null, selected.attempt().report()));
		assertThat(selected.selection().whyNot()).isEmpty();
		assertThat(this.tried).containsExactly("strong");
	}

	@Test
	void weakerOneIsTakenWithTheReasonWhyEachStrongerOneWasNot() throws Exception {
		BackendSelector.Selected<Tried> selected = select(missing("first", "it is not installed", "Install it."),
				failing("second", "user namespaces are forbidden", "Allow them."), working("third", Grade.UNVERIFIED));
		assertThat(selected.selection().chosen()).isEqualTo("third");
		assertThat(selected.selection().candidates()).extracting(BackendSelection.Candidate::name)
			.containsExactly("first", "second", "third");
		assertThat(selected.selection().candidates()).extracting(BackendSelection.Candidate::usable)
			.containsExactly(false, false, true);
		assertThat(selected.selection().candidates()).extracting(BackendSelection.Candidate::report)
			.containsExactly(null, null, selected.attempt().report());
		assertThat(selected.selection().whyNot()).isEqualTo(
				"first: it is not installed. Install it." + " second: user namespaces are forbidden. Allow them.");
		assertThat(this.tried).containsExactly("second", "third");
	}

	@Test
	void oneThatIsNoContainedProcessIsNotTakenAndItsReportIsKept() throws Exception {
		BackendSelector.Selected<Tried> selected = select(working("open", Grade.UNAVAILABLE));
		assertThat(selected.attempt()).isNull();
		assertThat(selected.selection().chosen()).isNull();
		BackendSelection.Candidate candidate = selected.selection().candidates().get(0);
		assertThat(candidate.usable()).isFalse();
		assertThat(candidate.report().backend()).isEqualTo("open");
		assertThat(selected.selection().whyNot())
			.startsWith("open: its trial execution does not amount to a contained process: filesystem is unavailable")
			.endsWith("Give the service what the findings name, or use another backend.");
	}

	@Test
	void whenNoneIsUsableEveryReasonIsKept() throws Exception {
		BackendSelector.Selected<Tried> selected = select(missing("first", "it is missing", null),
				failing("second", "it broke", "Mend it."));
		assertThat(selected.attempt()).isNull();
		assertThat(selected.selection().chosen()).isNull();
		assertThat(selected.selection().whyNot()).isEqualTo("first: it is missing. second: it broke. Mend it.");
	}

	@Test
	void withoutCandidatesNothingIsTaken() throws Exception {
		assertThat(select().selection()).isEqualTo(new BackendSelection(null, List.of()));
	}

	@Test
	void interruptEndsTheSelection() {
		BackendSelector.Candidate interrupted = new BackendSelector.Candidate("first", () -> {
			throw new InterruptedException();
		});
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> select(interrupted, working("second", Grade.ENFORCED)));
		assertThat(this.tried).isEmpty();
	}

	private BackendSelector.Selected<Tried> select(BackendSelector.Candidate... candidates)
			throws InterruptedException {
		return new BackendSelector<Tried>(List.of(candidates), (backend) -> {
			this.tried.add(backend.name());
			FakeBackend fake = (FakeBackend) backend;
			if (fake.failure() != null) {
				throw fake.failure();
			}
			return new Tried(report(fake));
		}).select();
	}

	/** A report in which filesystem and network have the backend's grade. */
	private static IsolationReport report(FakeBackend backend) {
		List<Finding> findings = new ArrayList<>();
		for (Guarantee guarantee : Guarantee.values()) {
			findings.add(new Finding(guarantee,
					(backend.grade() == Grade.UNAVAILABLE || guarantee.compareTo(Guarantee.PROCESS_TREE) < 0)
							? backend.grade() : Grade.ENFORCED,
					"evidence"));
		}
		return new IsolationReport(backend.name(), findings);
	}

	private static BackendSelector.Candidate working(String name, Grade grade) {
		return new BackendSelector.Candidate(name, () -> new FakeBackend(name, grade, null));
	}

	private static BackendSelector.Candidate failing(String name, String reason, String remedy) {
		return new BackendSelector.Candidate(name,
				() -> new FakeBackend(name, Grade.UNAVAILABLE, new BackendException(reason, remedy)));
	}

	private static BackendSelector.Candidate missing(String name, String reason, String remedy) {
		return new BackendSelector.Candidate(name, () -> {
			throw new BackendException(reason, remedy);
		});
	}

	private record Tried(IsolationReport report) implements BackendSelector.Attempt {

	}

	private record FakeBackend(String name, Grade grade, BackendException failure) implements Backend {

		@Override
		public boolean hasOwnView() {
			return true;
		}

		@Override
		public Path workspace(ExecutionFolder folder) {
			return folder.workspace();
		}

		@Override
		public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) {
			throw new UnsupportedOperationException();
		}

	}

}
