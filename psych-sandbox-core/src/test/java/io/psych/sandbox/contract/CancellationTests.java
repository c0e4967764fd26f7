package io.psych.sandbox.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CancellationTests {

	private final Cancellation cancellation = new Cancellation();

	private final List<String> told = new ArrayList<>();

	@Test
	void cancelTellsEveryListenerOnceInTheirOrder() {
		this.cancellation.onCancel(() -> this.told.add("first"));
		this.cancellation.onCancel(() -> this.told.add("second"));
		assertThat(this.told).isEmpty();
		assertThat(this.cancellation.isCancelled()).isFalse();
		this.cancellation.cancel();
		assertThat(this.told).containsExactly("first", "second");
		assertThat(this.cancellation.isCancelled()).isTrue();
	}

	@Test
	void cancelTwiceTellsOnce() {
		this.cancellation.onCancel(() -> this.told.add("listener"));
		this.cancellation.cancel();
		this.cancellation.cancel();
		assertThat(this.told).containsExactly("listener");
	}

	@Test
	void cancelFromAListenerTellsOnce() {
		this.cancellation.onCancel(this.cancellation::cancel);
		this.cancellation.onCancel(() -> this.told.add("listener"));
		this.cancellation.cancel();
		assertThat(this.told).containsExactly("listener");
	}

	@Test
	void listenerThatComesLateIsToldAtOnce() {
		this.cancellation.cancel();
		Runnable remove = this.cancellation.onCancel(() -> this.told.add("late"));
		assertThat(this.told).containsExactly("late");
		remove.run();
		this.cancellation.cancel();
		assertThat(this.told).containsExactly("late");
	}

	@Test
	void listenerThatWasRemovedIsNotTold() {
		Runnable remove = this.cancellation.onCancel(() -> this.told.add("removed"));
		this.cancellation.onCancel(() -> this.told.add("kept"));
		remove.run();
		remove.run();
		this.cancellation.cancel();
		remove.run();
		assertThat(this.told).containsExactly("kept");
	}

	@Test
	void listenerThatComesWhileAnotherThreadCancelsIsToldExactlyOnce() throws Exception {
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			for (int i = 0; i < 2_000; i++) {
				Cancellation raced = new Cancellation();
				AtomicInteger times = new AtomicInteger();
				CyclicBarrier start = new CyclicBarrier(2);
				Future<?> cancelling = other.submit(() -> {
					start.await(10, TimeUnit.SECONDS);
					raced.cancel();
					return null;
				});
				start.await(10, TimeUnit.SECONDS);
				raced.onCancel(times::incrementAndGet);
				cancelling.get(10, TimeUnit.SECONDS);
				assertThat(times).hasValue(1);
			}
		}
		finally {
			other.shutdownNow();
		}
	}

}
