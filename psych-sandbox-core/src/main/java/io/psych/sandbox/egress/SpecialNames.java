package io.psych.sandbox.egress;

import java.util.Set;

/**
 * Names that mean the host itself or a cloud's metadata service, wherever they resolve
 * to. No pattern allows them: through a proxy the name is all that is looked at.
 */
final class SpecialNames {

	private static final Set<String> NAMES = Set.of("localhost", "localhost.localdomain", "ip6-localhost",
			"ip6-loopback", "metadata", "metadata.google.internal", "metadata.goog", "instance-data",
			"instance-data.ec2.internal", "metadata.azure.internal", "metadata.platformequinix.com",
			"metadata.packet.net", "metadata.tencentyun.com", "host.docker.internal", "gateway.docker.internal",
			"host.containers.internal", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local");

	private SpecialNames() {
	}

	/**
	 * Return whether a name means the host or a metadata service.
	 * @param host a name as {@link Destination} has it
	 * @return whether it does
	 */
	static boolean isSpecial(String host) {
		return NAMES.contains(host) || host.endsWith(".localhost");
	}

}
