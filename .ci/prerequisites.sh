# shellcheck shell=bash
# What building and testing psych-sandbox needs, and how to get it. To be sourced by a script that has set -euo pipefail;
# call ensure_prerequisites, with the libraries for Python that its tests import. It says what it installs before it
# does, and ends the script with status 2 where it can't.

oldest_java=17
oldest_maven=3.8.6
oldest_python=3.9
oldest_node=18

# Whether version $1 is at least version $2.
version_at_least() {
	[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# Each JDK found that is new enough, one "major home" a line, oldest first and each once.
find_jdks() {
	local home version seen=" "
	{
		printf '%s\n' "${JAVA_HOME:-}" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home
		if command -v javac > /dev/null; then
			dirname "$(dirname "$(readlink -f "$(command -v javac)")")"
		fi
	} | while IFS= read -r home; do
		if [ -z "$home" ] || [ ! -x "$home/bin/javac" ]; then
			continue
		fi
		home=$(cd "$home" && pwd -P)
		case $seen in *" $home "*) continue ;; esac
		seen="$seen$home "
		version=$("$home/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
		if [ -n "$version" ] && [ "$version" -ge "$oldest_java" ]; then
			printf '%s %s\n' "$version" "$home"
		fi
	done | sort -n
}

# The Maven to use: the installed one if it is new enough, else the wrapper, which downloads one.
find_maven() {
	local version
	if command -v mvn > /dev/null; then
		version=$(mvn -v 2> /dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')
		if [ -n "$version" ] && version_at_least "$version" "$oldest_maven"; then
			command -v mvn
			return
		fi
	fi
	printf '%s\n' "./mvnw"
}

# What is missing, one word a line: jdk, python, bubblewrap, curl, setpriv, and those libraries among the arguments that /usr/bin/python3 lacks.
missing_prerequisites() {
	local library
	[ -n "$(find_jdks)" ] || echo jdk
	/usr/bin/python3 -c "import sys; sys.exit(sys.version_info < (${oldest_python/./, }))" 2> /dev/null || echo python
	command -v curl > /dev/null || echo curl
	if [ "$(uname)" = Linux ]; then
		command -v bwrap > /dev/null || echo bubblewrap
		command -v setpriv > /dev/null || echo setpriv
		for library in "$@"; do
			/usr/bin/python3 -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)' "$library" \
				2> /dev/null || echo "$library"
		done
	fi
}

describe_prerequisite() {
	case $1 in
		jdk) echo "a JDK $oldest_java or newer (with javac)" ;;
		python) echo "Python $oldest_python or newer at /usr/bin/python3" ;;
		bubblewrap) echo "bubblewrap (bwrap), the backend that isolates on Linux" ;;
		curl) echo "curl" ;;
		setpriv) echo "setpriv, from util-linux" ;;
		numpy) echo "numpy for /usr/bin/python3, which a program of the catalogue must be able to import" ;;
		matplotlib | pandas) echo "$1 for /usr/bin/python3, whose figures the tests of the child save" ;;
	esac
}

# The package of package manager $1 that brings prerequisite $2.
package_of() {
	case $1:$2 in
		apt:jdk) echo openjdk-17-jdk-headless ;;
		dnf:jdk) echo java-17-openjdk-devel ;;
		apk:jdk) echo openjdk17-jdk ;;
		brew:jdk) echo openjdk@17 ;;
		*:python) echo python3 ;;
		apk:numpy | apk:matplotlib | apk:pandas) echo "py3-$2" ;;
		*:numpy | *:matplotlib | *:pandas) echo "python3-$2" ;;
		*:setpriv) echo util-linux ;;
		*) echo "$2" ;;
	esac
}

packages_of() {
	local manager=$1 word packages=""
	shift
	for word in "$@"; do
		packages="$packages $(package_of "$manager" "$word")"
	done
	printf '%s\n' "${packages# }"
}

give_up() {
	local word reason=$1
	shift
	{
		echo "psych-sandbox can't be built here: $reason. Missing:"
		for word in "$@"; do
			echo "  - $(describe_prerequisite "$word")"
		done
		echo "Install it with the command for this system, then start again:"
		echo "  Debian, Ubuntu:  apt-get update && apt-get install -y $(packages_of apt "$@")"
		echo "  Fedora, RHEL:    dnf install -y $(packages_of dnf "$@")"
		echo "  Alpine:          apk add $(packages_of apk "$@")"
		if [ "$(uname)" = Darwin ]; then
			echo "  macOS:           brew install $(packages_of brew "$@")"
		fi
	} >&2
	exit 2
}

# The first JDK package this release of Debian or Ubuntu offers.
apt_jdk() {
	local package
	for package in openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless; do
		if apt-cache show "$package" > /dev/null 2>&1; then
			echo "$package"
			return
		fi
	done
	echo default-jdk-headless
}

ensure_prerequisites() {
	local missing packages word sudo=""
	read -r -a missing <<< "$(missing_prerequisites "$@" | tr '\n' ' ')"
	if [ "${#missing[@]}" -eq 0 ]; then
		return
	fi
	if ! command -v apt-get > /dev/null; then
		give_up "this is not Debian or Ubuntu, and only there it installs what it needs" "${missing[@]}"
	fi
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo > /dev/null || { [ ! -t 0 ] && ! sudo -n true 2> /dev/null; }; then
			give_up "installing needs root or sudo" "${missing[@]}"
		fi
		sudo=sudo
	fi
	echo "Missing here, now installed with apt-get:"
	for word in "${missing[@]}"; do
		echo "  - $(describe_prerequisite "$word")"
	done
	$sudo apt-get update -q || give_up "the package lists could not be read" "${missing[@]}"
	packages=$(packages_of apt "${missing[@]}")
	packages=${packages/openjdk-17-jdk-headless/$(apt_jdk)}
	echo "apt-get install -y --no-install-recommends $packages"
	# shellcheck disable=SC2086 # one word a package
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages \
		|| give_up "apt-get could not install them" "${missing[@]}"
	read -r -a missing <<< "$(missing_prerequisites "$@" | tr '\n' ' ')"
	if [ "${#missing[@]}" -ne 0 ]; then
		give_up "what apt-get installed is not enough" "${missing[@]}"
	fi
}

# Whether there is a Node.js that is new enough, and npm.
find_node() {
	local version
	version=$(node --version 2> /dev/null) && version_at_least "${version#v}" "$oldest_node" && command -v npm > /dev/null
}

# Install what .ci/$1 pins, a package.json and its lock file, below ~/.cache/psych-sandbox, where the tests look for it.
# Only some tests need it, so where it can't be had this says so and returns 1, and they are skipped.
ensure_npm_project() {
	local pinned=.ci/$1 folder=$HOME/.cache/psych-sandbox/$1 sudo=""
	if cmp -s "$pinned/package-lock.json" "$folder/package-lock.json"; then
		return
	fi
	if ! find_node; then
		if [ "$(id -u)" -ne 0 ]; then
			sudo="sudo -n"
		fi
		if command -v apt-get > /dev/null && { [ -z "$sudo" ] || sudo -n true 2> /dev/null; }; then
			echo "Missing here, now installed with apt-get: Node.js $oldest_node or newer and npm, for $pinned"
			# shellcheck disable=SC2086 # two words or none
			$sudo apt-get update -q \
				&& $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends nodejs npm || true
		fi
	fi
	if ! find_node; then
		echo "Node.js $oldest_node or newer and npm are missing: tests that need $pinned are skipped." >&2
		return 1
	fi
	echo "Installing what $pinned pins with npm, into $folder"
	rm -rf "$folder.new"
	mkdir -p "$folder.new"
	cp "$pinned/package.json" "$pinned/package-lock.json" "$folder.new"
	if ! (cd "$folder.new" && npm ci --ignore-scripts --no-audit --no-fund); then
		rm -rf "$folder.new"
		echo "npm could not install what $pinned pins: tests that need it are skipped." >&2
		return 1
	fi
	rm -rf "$folder"
	mv "$folder.new" "$folder"
}

# Podman with runc, and an image made of this machine's own Python, for the tests of containers; exports CONTAINERS_CONF, which
# names a file in a temporary folder. Only those tests need it, so where it can't be had this says so and returns 1.
ensure_containers() {
	local sudo="" image=localhost/psych-sandbox-python:test packages="podman runc uidmap"
	if [ "$(uname)" != Linux ]; then
		return 1
	fi
	if [ -n "${PSYCH_DOCKER_CLIENT:-}" ] && ! command -v docker > /dev/null; then
		packages="$packages docker.io"
	fi
	if ! command -v podman > /dev/null || ! command -v runc > /dev/null || ! command -v newuidmap > /dev/null \
		|| [ "$packages" != "podman runc uidmap" ]; then
		if [ "$(id -u)" -ne 0 ]; then
			sudo="sudo -n"
		fi
		if command -v apt-get > /dev/null && { [ -z "$sudo" ] || sudo -n true 2> /dev/null; }; then
			echo "Missing here, now installed with apt-get, for the tests of containers: $packages"
			# shellcheck disable=SC2086 # words on purpose
			$sudo apt-get update -q \
				&& $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages || true
		fi
	fi
	if ! command -v podman > /dev/null; then
		echo "podman is missing: the tests of containers are skipped." >&2
		return 1
	fi
	containers_folder=$(mktemp -d "${TMPDIR:-/tmp}/containers-psych.XXXXXX")
	# Where there is no systemd to ask for groups, and no right to raise limits.
	cat > "$containers_folder/containers.conf" <<-'CONF'
		[containers]
		default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
		[engine]
		cgroup_manager = "cgroupfs"
		events_logger = "none"
		runtime = "runc"
	CONF
	export CONTAINERS_CONF=$containers_folder/containers.conf
	if ! .ci/container-image "$image" numpy > "$containers_folder/log" 2>&1; then
		cat "$containers_folder/log" >&2
		echo "The image of the tests can't be made: the tests of containers are skipped." >&2
		return 1
	fi
}
