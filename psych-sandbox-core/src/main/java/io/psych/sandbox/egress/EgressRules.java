package io.psych.sandbox.egress;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

/**
 * Allows what a list of rules names, and nothing else. A destination is allowed when one
 * rule allows its name, and an address of it when one rule allows both.
 *
 * @since 0.1.0
 */
public final class EgressRules implements Egress {

	private final List<EgressRule> rules;

	/**
	 * Create new rules.
	 * @param rules what is allowed; with none, nothing is
	 */
	public EgressRules(List<EgressRule> rules) {
		this.rules = List.copyOf(rules);
	}

	@Override
	public void check(URI destination) throws EgressDeniedException {
		InetAddress literal = named(destination).address();
		if (literal != null) {
			check(destination, literal);
		}
	}

	@Override
	public void check(URI destination, InetAddress address) throws EgressDeniedException {
		Destination parsed = named(destination);
		if (parsed.address() != null && !parsed.address().equals(address)) {
			throw new EgressDeniedException(parsed.toUri(), "it does not lead to " + address.getHostAddress());
		}
		if (this.rules.stream().noneMatch((rule) -> rule.matches(parsed) && rule.allows(address))) {
			throw new EgressDeniedException(parsed.toUri(), "it leads to " + AddressKind.of(address).description()
					+ ", which takes an entry of psych.sandbox.egress.allow with allowed-addresses");
		}
	}

	private Destination named(URI destination) throws EgressDeniedException {
		Destination parsed = Destination.of(destination);
		if (this.rules.stream().noneMatch((rule) -> rule.matches(parsed))) {
			throw new EgressDeniedException(parsed.toUri(), "no entry of psych.sandbox.egress.allow names it");
		}
		return parsed;
	}

	/**
	 * Return whether an address can be reached from anywhere, and so belongs to nobody's
	 * own network.
	 * @param address the address
	 * @return whether it is public
	 */
	public static boolean isPublic(InetAddress address) {
		return AddressKind.of(address) == AddressKind.PUBLIC;
	}

	@Override
	public String toString() {
		return this.rules.toString();
	}

}
