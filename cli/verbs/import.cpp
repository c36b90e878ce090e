#include "base/fd.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/input_file.hpp"
#include "cli/json_fields.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace hydra::cli {
namespace {

struct ImportArgs {
  std::string file;
  bool json = false;
};

constexpr std::size_t kPart = std::size_t{4} << 20;  ///< bytes of a request, but for the rest of a race

std::string race_of(std::string_view line) { return text(OrderedJson::parse(line, nullptr, false), "race"); }

Result<InputFile> opened(const std::string& file, const Context& context) {
  const auto temporary = context.env()("TMPDIR").value_or("/tmp");
  if (file == "-") return InputFile::read(0, temporary);
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error{Errc::usage, "cannot read " + file + ": " + std::strerror(errno), {}, {}};
  return InputFile::read(fd.get(), temporary);
}

Result<int> import(const ImportArgs& args, Context& context) {
  HYDRA_TRY(const auto input, opened(args.file, context));
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(10)));
  wire::Imported sum;
  wire::ImportRequest part;
  const auto send = [&]() -> Result<void> {
    HYDRA_TRY(const auto body, client.call("POST", "/v1/history/import", wire::to_json(part)));
    HYDRA_TRY(const auto answer, wire::from_json<wire::Imported>(body));
    sum.imported += answer.imported;
    sum.kept += answer.kept;
    return {};
  };
  std::int64_t number = 0;
  std::string_view before;
  for (const auto line : lines(input.text())) {
    ++number;
    if (part.lines.size() >= kPart && race_of(line) != race_of(before)) {
      HYDRA_CHECK(send());
      part = {{}, number};
    }
    part.lines.append(line).append(1, '\n');
    before = line;
  }
  HYDRA_CHECK(send());
  if (args.json) return print_json(wire::to_json(sum));
  return say(fmt::format("{} imported.", counted(sum.imported, "race")) +
             (sum.kept > 0 ? fmt::format(" {} of this machine stayed as {}.", counted(sum.kept, "race"),
                                         sum.kept == 1 ? "it was" : "they were")
                           : ""));
}

}  // namespace

Verb import_verb() {
  return verb_of<ImportArgs>(
      "import", "Add races of another machine to the history, for the leaderboard and the statistics",
      {"hydra import races.jsonl", "ssh other hydra export | hydra import -"},
      [](Options& o, ImportArgs& args) {
        o.positional("file", args.file, true, "written by `hydra export` there; -: standard input");
        o.flag("--json", args.json, "how many, as JSON");
      },
      import);
}

}  // namespace hydra::cli
