# row: 55
# threat: the same calls through the 32-bit entry and by the numbers of x32
# bubblewrap: E arch check
# process: O
# macos: -
# windows: -
# container: O profile
# remote: V, not run yet
# guarantee: identity
# layer: SECCOMP


import mmap

if os.uname().machine != "x86_64":
    raise SystemExit("only x86-64 has other entries")


def run(code):
    """Run machine code in a child and tell what became of it: its answer, or the signal that ended it."""
    child = os.fork()
    if child == 0:
        memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        memory.write(code)
        function = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
        result = function()
        os._exit(100 if result > 0 else min(-result, 99))
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return "signal %d" % os.WTERMSIG(status)
    return "answered" if os.WEXITSTATUS(status) == 100 else errno.errorcode.get(os.WEXITSTATUS(status), "error")

# variant: int 0x80
# expect: value.* == "signal 31"
# control: value.getpid == "answered"
# control: value.socket in "answered"
findings = {
    # mov eax, 20 (getpid); int 0x80; cdqe; ret
    "getpid": run(b"\xb8\x14\x00\x00\x00\xcd\x80\x48\x98\xc3"),
    # push rbx; mov eax, 359 (socket); mov ebx, 2; mov ecx, 1; xor edx, edx; int 0x80; pop rbx; cdqe; ret
    "socket": run(b"\x53\xb8\x67\x01\x00\x00\xbb\x02\x00\x00\x00\xb9\x01\x00\x00\x00\x31\xd2\xcd\x80\x5b\x48\x98\xc3"),
}
findings

# variant: x32
# expect: value.* == "signal 31"
# control: value.* in ENOSYS, "answered"
findings = {
    # mov eax, 0x40000027 (getpid); syscall; ret
    "getpid": run(b"\xb8\x27\x00\x00\x40\x0f\x05\xc3"),
    # mov eax, 0x40000029 (socket); mov edi, 2; mov esi, 1; xor edx, edx; syscall; ret
    "socket": run(b"\xb8\x29\x00\x00\x40\xbf\x02\x00\x00\x00\xbe\x01\x00\x00\x00\x31\xd2\x0f\x05\xc3"),
}
findings

# variant: the vsyscall page
# expect: value in "signal 11", "signal 31", "answered"

# A call of time() at its fixed address: what it answers is no secret, and it must not do more.
# mov rax, 0xffffffffff600400; xor edi, edi; call rax; ret
findings = run(b"\x48\xc7\xc0\x00\x04\x60\xff\x31\xff\xff\xd0\xc3")
findings
