package io.psych.sandbox.spring.a2a;

import java.net.URI;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an agent says of itself. All texts are a third party's.
 *
 * @param name its name
 * @param skills what it can do
 * @param url where it is called
 * @param protocol what it is called with
 * @param tenant what it calls its tenant there, or {@code null} for none
 */
record AgentCard(String name, List<Skill> skills, URI url, Protocol protocol, @Nullable String tenant) {

	/**
	 * One thing an agent can do.
	 *
	 * @param id its name in the protocol
	 * @param description what it is for
	 * @param examples messages that it is meant for
	 */
	record Skill(String id, String description, List<String> examples) {

	}

}
