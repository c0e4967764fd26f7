package io.psych.sandbox.spring.a2a;

import java.time.Duration;

import io.psych.sandbox.spring.http.Credential;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;

/**
 * What we need of another agent, whatever it is spoken to with. Every method honours
 * interruption and ends with its time.
 */
interface A2aPeer {

	/**
	 * Return the name the configuration has for it.
	 * @return the name
	 */
	String name();

	/**
	 * Read its card. May be tried more than once, as nothing else is.
	 * @param known the card that is known, or {@code null} for none
	 * @return the card, which is the known one when it has not changed
	 * @throws ToolCallException if there is none, {@code UNREACHABLE} or
	 * {@code TIMED_OUT} when that may pass
	 * @throws InterruptedException if the thread was interrupted
	 */
	CardReading card(@Nullable CardReading known) throws ToolCallException, InterruptedException;

	/**
	 * Send it a message, and don't wait until the task that this begins is done. Of a
	 * task that the message goes on with, how it is after the message is waited for.
	 * @param card its card
	 * @param message the message
	 * @param terms how the request is made
	 * @return what it answered at once
	 * @throws ToolCallException if there is no answer, or none that can be understood
	 * @throws InterruptedException if the thread was interrupted
	 */
	AgentReply send(AgentCard card, AgentMessage message, Terms terms) throws ToolCallException, InterruptedException;

	/**
	 * Ask how a task is.
	 * @param card its card
	 * @param task the task
	 * @param terms how the request is made
	 * @return how it is
	 * @throws ToolCallException if there is no answer, or none that can be understood
	 * @throws InterruptedException if the thread was interrupted
	 */
	AgentReply task(AgentCard card, String task, Terms terms) throws ToolCallException, InterruptedException;

	/**
	 * Cancel a task.
	 * @param card its card
	 * @param task the task
	 * @param terms how the request is made
	 * @return how it is then
	 * @throws ToolCallException if it can't be cancelled, or that is not known
	 * @throws InterruptedException if the thread was interrupted
	 */
	AgentReply cancel(AgentCard card, String task, Terms terms) throws ToolCallException, InterruptedException;

	/**
	 * How a request is made.
	 *
	 * @param credential what proves who calls, or {@code null} for nothing
	 * @param timeout time until the whole answer is there
	 */
	record Terms(@Nullable Credential credential, Duration timeout) {

	}

	/**
	 * A card as it was read.
	 *
	 * @param card the card
	 * @param tag the version it has over HTTP, or {@code null}
	 * @param maxAge how long it need not be read again, or {@code null} when it is not
	 * said
	 */
	record CardReading(AgentCard card, @Nullable String tag, @Nullable Duration maxAge) {

	}

}
