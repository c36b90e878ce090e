#include "stage2.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shim {

#if defined(__x86_64__) || defined(__aarch64__)
namespace {

constexpr __u32 kMoveExtents = 0xc028660f;   // EXT4_IOC_MOVE_EXT: exchanges the blocks of two files
constexpr __u32 kEnableVerity = 0x40806685;  // FS_IOC_ENABLE_VERITY: makes the file read-only for good
// FS_IOC_SET_ENCRYPTION_POLICY: blocks new files in a directory
constexpr __u32 kEncryptionPolicy = 0x800c6613;

constexpr __u32 kNumber = offsetof(seccomp_data, nr), kArch = offsetof(seccomp_data, arch);
// The kernel uses 32 bits of the request, which little-endian machines store first.
constexpr __u32 kRequest = offsetof(seccomp_data, args) + sizeof(__u64);

#if defined(__x86_64__)
constexpr __u32 kOwnArch = AUDIT_ARCH_X86_64, kOwnIoctl = 16, kOtherIoctl = 0x40000000 + 514;  // x32
#else
constexpr __u32 kOwnArch = AUDIT_ARCH_AARCH64, kOwnIoctl = 29, kOtherIoctl = 29;
#endif
constexpr __u32 kSmallIoctl = 54;  // ioctl of 32-bit x86 and arm

constexpr sock_filter load(__u32 at) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at); }
constexpr sock_filter equals(__u32 value, __u8 yes, __u8 no) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}
constexpr sock_filter answer(__u32 value) { return BPF_STMT(BPF_RET | BPF_K, value); }

}  // namespace

void refuse_hidden_changes() {
  std::array<sock_filter, 13> filter{{
      /*  0 */ load(kArch),
      /*  1 */ equals(kOwnArch, 0, 3),
      /*  2 */ load(kNumber),
      /*  3 */ equals(kOwnIoctl, 3, 0),
      /*  4 */ equals(kOtherIoctl, 2, 6),
      /*  5 */ load(kNumber),
      /*  6 */ equals(kSmallIoctl, 0, 4),
      /*  7 */ load(kRequest),
      /*  8 */ equals(kMoveExtents, 3, 0),
      /*  9 */ equals(kEnableVerity, 2, 0),
      /* 10 */ equals(kEncryptionPolicy, 1, 0),
      /* 11 */ answer(SECCOMP_RET_ALLOW),
      /* 12 */ answer(SECCOMP_RET_ERRNO | EOPNOTSUPP),  // as on a file system without these features
  }};
  const sock_fprog program{filter.size(), filter.data()};
  // Without the flag, older kernels slow down every process that has a filter.
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) != 0)
    ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
#else
void refuse_hidden_changes() {}
#endif

}  // namespace shim
