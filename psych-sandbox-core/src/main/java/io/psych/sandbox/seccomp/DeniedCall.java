package io.psych.sandbox.seccomp;

/**
 * A system call that programs never make, with its numbers (arch/x86/entry/syscalls/
 * syscall_64.tbl and include/uapi/asm-generic/unistd.h of the kernel).
 */
enum DeniedCall {

	// Looking into and steering other processes.
	PTRACE(101, 117), PROCESS_VM_READV(310, 270), PROCESS_VM_WRITEV(311, 271), PIDFD_GETFD(438, 438), KCMP(312, 272),

	// Keys outlive the process and are shared by a user's processes.
	ADD_KEY(248, 217), REQUEST_KEY(249, 218), KEYCTL(250, 219),

	// Watches on files that programs share; the kernel counts them, and the queues they
	// end in, by user.
	INOTIFY_INIT(253, DeniedCall.NONE), INOTIFY_INIT1(294, 26), INOTIFY_ADD_WATCH(254, 27), FANOTIFY_INIT(300, 262),
	FANOTIFY_MARK(301, 263),

	// The requests it reserves come off one number for the whole machine, fs.aio-max-nr.
	IO_SETUP(206, 0),

	// Wide interfaces into the kernel that a program of this kind has no use for.
	BPF(321, 280), PERF_EVENT_OPEN(298, 241), USERFAULTFD(323, 282), LOOKUP_DCOOKIE(212, 18), MOVE_PAGES(279, 239),
	MIGRATE_PAGES(256, 238), MODIFY_LDT(154, DeniedCall.NONE), PERSONALITY(135, 92), IOPL(172, DeniedCall.NONE),
	IOPERM(173, DeniedCall.NONE), SYSLOG(103, 116),

	// The mount tree, by its old interface and its new one.
	MOUNT(165, 40), UMOUNT2(166, 39), PIVOT_ROOT(155, 41), CHROOT(161, 51), OPEN_TREE(428, 428), MOVE_MOUNT(429, 429),
	FSOPEN(430, 430), FSCONFIG(431, 431), FSMOUNT(432, 432), FSPICK(433, 433), MOUNT_SETATTR(442, 442),
	STATMOUNT(457, 457), LISTMOUNT(458, 458), OPEN_TREE_ATTR(467, 467), NAME_TO_HANDLE_AT(303, 264),
	OPEN_BY_HANDLE_AT(304, 265),

	// Namespaces; those of clone are told by its flags.
	SETNS(308, 268), UNSHARE(272, 97),

	// The host itself.
	KEXEC_LOAD(246, 104), KEXEC_FILE_LOAD(320, 294), INIT_MODULE(175, 105), FINIT_MODULE(313, 273),
	DELETE_MODULE(176, 106), SWAPON(167, 224), SWAPOFF(168, 225), REBOOT(169, 142), QUOTACTL(179, 60),
	QUOTACTL_FD(443, 443), ACCT(163, 89), SETTIMEOFDAY(164, 170), CLOCK_SETTIME(227, 112), CLOCK_ADJTIME(305, 266),
	ADJTIMEX(159, 171), VHANGUP(153, 58), SETHOSTNAME(170, 161), SETDOMAINNAME(171, 162), NFSSERVCTL(180, 42),
	USELIB(134, DeniedCall.NONE), SYSFS(139, DeniedCall.NONE), SYSCTL(156, DeniedCall.NONE);

	/** The architecture has no such call. */
	static final int NONE = -1;

	private final int x86;

	private final int arm;

	DeniedCall(int x86, int arm) {
		this.x86 = x86;
		this.arm = arm;
	}

	int number(Architecture architecture) {
		return (architecture == Architecture.X86_64) ? this.x86 : this.arm;
	}

}
