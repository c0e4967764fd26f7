package io.psych.sandbox.spawn;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HostUserTests {

	@Test
	void findOfRootByNameAndByNumberIsTheSame() {
		HostUser root = HostUser.find("root");
		assertThat(root).isEqualTo(new HostUser("root", 0, 0)).isEqualTo(HostUser.find("0"));
		assertThat(root.isRoot()).isTrue();
	}

	@Test
	void findOfNobodyHasTheIdsOfTheHost() throws Exception {
		HostUser nobody = HostUser.find("nobody");
		assertThat(nobody).isNotNull();
		assertThat(nobody.name()).isEqualTo("nobody");
		assertThat(nobody.uid()).isEqualTo(id("-u", "nobody"));
		assertThat(nobody.gid()).isEqualTo(id("-g", "nobody"));
		assertThat(nobody.isRoot()).isFalse();
		assertThat(HostUser.find(Integer.toString(nobody.uid()))).isEqualTo(nobody);
	}

	@Test
	void findOfANumberNobodyHasIsThatNumberWithAGroupOfTheSame() {
		assertThat(HostUser.find("987654321")).isEqualTo(new HostUser("987654321", 987654321, 987654321));
	}

	@Test
	void findOfANameNobodyHasIsNull() {
		assertThat(HostUser.find("no-such-user-here")).isNull();
		assertThat(HostUser.find("")).isNull();
		assertThat(HostUser.find("-1")).isNull();
		assertThat(HostUser.find("99999999999999999999")).isNull();
	}

	@Test
	void currentIsTheUserThisJvmRunsAs() throws Exception {
		HostUser current = HostUser.current();
		assertThat(current.uid()).isEqualTo(id("-u"));
		assertThat(current.gid()).isEqualTo(id("-g"));
		assertThat(current.isRoot()).isEqualTo(id("-u") == 0);
	}

	private static int id(String... arguments) throws Exception {
		String[] command = new String[arguments.length + 1];
		command[0] = "/usr/bin/id";
		System.arraycopy(arguments, 0, command, 1, arguments.length);
		return Integer.parseInt(Children.text(new Children().start(command).stdout()).strip());
	}

}
