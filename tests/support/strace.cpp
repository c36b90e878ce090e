#include "support/strace.hpp"

#include <fstream>

namespace hydra::e2e {
namespace {

constexpr const char* kStrace = "/usr/bin/strace";

}  // namespace

Words under_strace(const Fault& fault) {
  return {kStrace,
          "-f",
          "-b",
          "execve",
          "-qq",
          "-o",
          "/dev/null",
          "-e",
          "trace=" + fault.call,
          "-e",
          "inject=" + fault.call + ":" + fault.effect + ":when=" + fault.when};
}

std::unique_ptr<Process> start_traced_daemon(const World& world, const Fault& fault,
                                             const std::string& binaries) {
  Words words{"/bin/sh", "-c", "exec \"$@\" 3>&1", "sh"};
  for (auto& word : under_strace(fault)) words.push_back(std::move(word));
  words.push_back(binaries.empty() ? path_of_binary("hydrad") : binaries + "/hydrad");
  for (const char* word : {"--foreground", "--ready-fd", "3"}) words.emplace_back(word);
  auto daemon = std::make_unique<Process>(words, world.root(), world.environment());
  if (!daemon->wait_text("1")) return nullptr;
  return daemon;
}

void make_traced_shim(const fs::path& directory, const Fault& fault, const std::string& attempts) {
  fs::create_directories(directory);
  for (const char* name : {"hydra", "hydrad"})
    fs::copy_file(path_of_binary(name), directory / name, fs::copy_options::overwrite_existing);
  const auto real = path_of_binary("hydra-shim");
  // The tracer is a grandchild, so that the supervisor keeps the process id that its daemon knows; and it
  // does not bear the attempt's cookie, or a sweep would end it.
  std::ofstream(directory / "hydra-shim")
      << "#!/bin/sh\ncase \"$1:$2\" in --attempt:" << attempts << ") ;; *) exec '" << real
      << "' \"$@\";; esac\n"
      << "cookie=$HYDRA_ATTEMPT; unset HYDRA_ATTEMPT\nexec " << kStrace
      << " -D -qq -o /dev/null -E HYDRA_ATTEMPT=\"$cookie\" -e trace=" << fault.call
      << " -e inject=" << fault.call << ":" << fault.effect << ":when=" << fault.when << " '" << real
      << "' \"$@\"\n";
  fs::permissions(directory / "hydra-shim", fs::perms::owner_all);
}

}  // namespace hydra::e2e
