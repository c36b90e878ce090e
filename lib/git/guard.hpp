// git, inside only: what of the user's repository decides what their git runs, remembered when a race starts
// and compared before a merge. A private workspace can't reach it; a linked one shares refs as well.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

/// Whether a key of the configuration (lower case but for its middle part, as git lists it) with this value
/// makes git run nothing and decides nothing about what a checkout holds. Everything unknown does.
bool is_harmless(std::string_view key, std::string_view value);

class Guard {
 public:
  /// `store`: Hydra's store of the race. `linked`: refs, HEAD, index and work trees count too.
  Guard(fs::path store, const model::RepositoryFacts& facts, bool linked, std::string path_variable,
        std::string home);

  /// Remembers the present state.
  Result<void> save() const;
  /// What differs from the remembered state, by name ("hooks/pre-commit", "config core.fsmonitor",
  /// "refs/heads/main"). Empty where nothing was remembered. Keys that decide nothing about what runs
  /// (is_harmless) go to `harmless`.
  [[nodiscard]] Result<std::vector<std::string>> differences(
      std::vector<std::string>* harmless = nullptr) const;
  /// What still differs after the user's word was carried out; `refused` where there was none and it matters.
  [[nodiscard]] Result<std::vector<std::string>> judge(bool accept, bool repair, bool dry_run,
                                                       std::vector<std::string>* harmless = nullptr) const;
  /// Puts remembered files back; what stood there instead is kept in the store, under `replaced`.
  Result<void> repair() const;

 private:
  struct Item {
    std::string name, mode, bytes;
  };
  [[nodiscard]] Result<std::vector<Item>> look() const;
  [[nodiscard]] Result<void> look_at_refs(std::vector<Item>& items) const;
  [[nodiscard]] Result<std::vector<Item>> saved() const;
  [[nodiscard]] Result<std::vector<std::string>> keys_that_differ(const Item& before, const Item& now,
                                                                  std::vector<std::string>* harmless) const;
  [[nodiscard]] Result<void> stays_inside(const std::string& name) const;
  [[nodiscard]] fs::path path_of(const std::string& name) const;

  fs::path store_;
  const model::RepositoryFacts& facts_;
  bool linked_;
  std::string path_variable_, home_;
};

}  // namespace hydra::git
