package io.psych.sandbox.spring.a2a;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.log.Quoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names that skills are offered by. A skill keeps its own name as long as nobody else
 * has ever had it in the life of this object; from then on it is {@code <peer>_<skill>},
 * for each of those that had it. A name never comes to mean another skill.
 */
final class SkillNames {

	private static final Logger logger = LoggerFactory.getLogger(SkillNames.class);

	/** A peer may think of new names without an end. */
	static final int MOST = 20_000;

	/** Who has had a skill of that name, or {@link #SHARED}. */
	private final Map<String, String> peers = new HashMap<>();

	/** What each name that was ever given means. */
	private final Map<String, Key> given = new HashMap<>();

	private static final String SHARED = "";

	/**
	 * Name skills.
	 * @param skills the skills there are
	 * @param taken the names of all other tools
	 * @return the names, without skills that can't have one of their own
	 */
	synchronized Map<Key, String> of(Collection<Key> skills, Set<String> taken) {
		for (Key skill : skills) {
			if (taken.contains(skill.id())) {
				this.peers.put(skill.id(), SHARED);
			}
			else if (this.peers.size() < MOST) {
				this.peers.merge(skill.id(), skill.peer(), (first, second) -> first.equals(second) ? first : SHARED);
			}
		}
		Map<Key, String> names = new LinkedHashMap<>();
		for (Key skill : skills) {
			String name = skill.peer().equals(this.peers.get(skill.id())) ? skill.id() : skill.qualified();
			boolean isFree = !taken.contains(name) && (this.given.size() < MOST || this.given.containsKey(name));
			if (isFree && this.given.computeIfAbsent(name, (key) -> skill).equals(skill)) {
				names.put(skill, name);
			}
			else {
				logger.warn(
						"The skill {} of the A2A peer {} is left out, the name {} means another tool; rename the peer",
						Quoted.text(skill.id()), skill.peer(), Quoted.text(name));
			}
		}
		return names;
	}

	/**
	 * A skill, told apart from all others.
	 *
	 * @param peer the name of its peer
	 * @param id the name the peer has for it
	 */
	record Key(String peer, String id) {

		private String qualified() {
			return this.peer.replaceAll("[^A-Za-z0-9_]", "_") + "_" + this.id;
		}

	}

}
