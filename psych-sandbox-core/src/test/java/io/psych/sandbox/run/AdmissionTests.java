package io.psych.sandbox.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.psych.sandbox.contract.Cancellation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The bound on executions, and the queue behind it.
 */
class AdmissionTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void end() throws InterruptedException {
		this.threads.shutdownNow();
		assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void asManyAsMayRunAtOnceAndOneMoreWaits() throws Exception {
		Admission admission = new Admission(2, 1, LONG);
		assertThat(enter(admission, "a")).isNull();
		assertThat(enter(admission, "a")).isNull();
		Future<String> third = waiting(admission, "a", 1);
		assertThat(enter(admission, "a")).contains("2 executions are running and 1 of this tenant are waiting");
		admission.leave();
		assertThat(third.get()).isNull();
		assertThat(admission.status()).isEqualTo(new Admission.Status(2, 2, 0, 1));
		admission.leave();
		admission.leave();
		assertThat(admission.status().running()).isZero();
	}

	@Test
	void tenantsTakeTurnsHoweverMuchOneAsksFor() throws Exception {
		Admission admission = new Admission(1, 10, LONG);
		assertThat(enter(admission, "greedy")).isNull();
		List<String> order = new CopyOnWriteArrayList<>();
		List<Future<?>> all = new ArrayList<>();
		int waiting = 0;
		for (String tenant : List.of("greedy", "greedy", "greedy", "modest", "other")) {
			all.add(this.threads.submit(() -> {
				assertThat(enter(admission, tenant)).isNull();
				order.add(tenant);
				admission.leave();
				return null;
			}));
			awaitWaiting(admission, ++waiting);
		}
		admission.leave();
		for (Future<?> one : all) {
			one.get();
		}
		assertThat(order).containsExactly("greedy", "modest", "other", "greedy", "greedy");
		assertThat(admission.status()).isEqualTo(new Admission.Status(1, 0, 0, 0));
	}

	@Test
	void queueOfOneTenantDoesNotFillThatOfAnother() throws Exception {
		Admission admission = new Admission(1, 1, LONG);
		enter(admission, "a");
		waiting(admission, "a", 1);
		assertThat(enter(admission, "a")).isNotNull();
		Future<String> other = waiting(admission, "b", 2);
		admission.leave();
		admission.leave();
		assertThat(other.get()).isNull();
	}

	@Test
	void withoutAQueueThereIsAPlaceOrARefusal() throws Exception {
		Admission admission = new Admission(1, 0, LONG);
		assertThat(enter(admission, "a")).isNull();
		assertThat(enter(admission, "a")).isNotNull();
		assertThat(enter(admission, "b")).isNotNull();
		admission.leave();
		assertThat(enter(admission, "b")).isNull();
	}

	@Test
	void patienceEndsAndTheQueueForgets() throws Exception {
		Admission admission = new Admission(1, 1, Duration.ofMillis(20));
		enter(admission, "a");
		assertThat(enter(admission, "a")).contains("none ended within 20 ms");
		assertThat(admission.status()).isEqualTo(new Admission.Status(1, 1, 0, 1));
		admission.leave();
		assertThat(enter(admission, "a")).isNull();
	}

	@Test
	void cancellationAndInterruptEndTheWait() throws Exception {
		Admission admission = new Admission(1, 2, LONG);
		enter(admission, "a");
		Cancellation cancellation = new Cancellation();
		Future<String> cancelled = this.threads.submit(() -> admission.enter("a", cancellation));
		awaitWaiting(admission, 1);
		cancellation.cancel();
		assertThat(cancelled.get()).contains("cancelled");
		Thread caller = Thread.currentThread();
		this.threads.submit(() -> {
			awaitWaiting(admission, 1);
			caller.interrupt();
		});
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> enter(admission, "a"));
		assertThat(admission.status().waiting()).isZero();
		admission.leave();
		assertThat(enter(admission, "a")).isNull();
	}

	@Test
	void noPlaceIsEverLostOrGivenTwice() throws Exception {
		Admission admission = new Admission(3, 1_000, LONG);
		List<Callable<Boolean>> tasks = new ArrayList<>();
		AtomicInteger inside = new AtomicInteger();
		for (int i = 0; i < 200; i++) {
			String tenant = "t" + i % 7;
			Cancellation cancellation = new Cancellation();
			tasks.add(() -> {
				if (admission.enter(tenant, cancellation) != null) {
					return true;
				}
				boolean bounded = inside.incrementAndGet() <= 3;
				inside.decrementAndGet();
				admission.leave();
				return bounded;
			});
			if (i % 5 == 0) {
				this.threads.submit(cancellation::cancel);
			}
		}
		for (Future<Boolean> one : this.threads.invokeAll(tasks)) {
			assertThat(one.get()).isTrue();
		}
		assertThat(admission.status().running()).isZero();
		assertThat(admission.status().waiting()).isZero();
	}

	private static String enter(Admission admission, String tenant) throws InterruptedException {
		return admission.enter(tenant, new Cancellation());
	}

	private Future<String> waiting(Admission admission, String tenant, int waiting) {
		Future<String> one = this.threads.submit(() -> enter(admission, tenant));
		awaitWaiting(admission, waiting);
		return one;
	}

	private static void awaitWaiting(Admission admission, int waiting) {
		while (admission.status().waiting() < waiting) {
			Thread.onSpinWait();
		}
	}

}
