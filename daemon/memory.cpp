#include "daemon/memory.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <cstdint>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hydra {
namespace {

/// Drops code and constants of one program or library. Writable data, including tables filled by the loader,
/// is in other segments and stays.
int drop_constants(dl_phdr_info* object, std::size_t, void*) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const auto begin = (object->dlpi_addr + segment.p_vaddr) & ~(page - 1);
    const auto end = object->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
  return 0;
}

}  // namespace

void give_back_memory() {
  ::malloc_trim(0);
  ::dl_iterate_phdr(drop_constants, nullptr);
}

std::size_t resident_bytes() {
  const auto text = read_file("/proc/self/statm", 256);
  const auto fields = text.ok() ? split(*text, ' ') : std::vector<std::string_view>{};
  const auto pages = fields.size() > 1 ? parse_int(fields[1]) : std::nullopt;
  return static_cast<std::size_t>(pages.value_or(0)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace hydra
