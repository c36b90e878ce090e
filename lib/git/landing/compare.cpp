// Two commits of a store compared: the base and a result, or two results.
#include "git/environment.hpp"
#include "git/repository.hpp"
#include "git/store/diff.hpp"

namespace hydra::git {
namespace {

// A path is a name here, never a pattern.
void add_sides(const CompareRequest& request, std::vector<std::string>& args) {
  if (request.ignore_space) args.emplace_back("--ignore-all-space");
  args.insert(args.end(), {request.from, request.to, "--"});
  if (!request.path.empty()) args.push_back(":(top,literal)" + request.path);
}

}  // namespace

Result<std::vector<DiffEntry>> Store::compare(const CompareRequest& request) const {
  std::vector<std::string> args{"diff-tree"};
  for (auto& option : diff_options()) args.push_back(std::move(option));
  add_sides(request, args);
  HYDRA_TRY(auto text, command().output(args));
  HYDRA_TRY(auto raw, parse_diff(text));
  return std::vector<DiffEntry>(raw.begin(), raw.end());
}

Result<std::string> Store::patch(const CompareRequest& request, std::size_t max_bytes) const {
  std::vector<std::string> args{"diff-tree",     "-r",           "-p", "-M", "--full-index", "--no-color",
                                "--no-ext-diff", "--no-textconv"};
  if (request.context != 3) args.push_back("-U" + std::to_string(request.context));
  add_sides(request, args);
  HYDRA_TRY(auto text, command().output(args));
  if (text.size() > max_bytes) text.resize(max_bytes);
  return text;
}

}  // namespace hydra::git
