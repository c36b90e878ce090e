#include "cli/project.hpp"

#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/read_files.hpp"
#include "base/strings.hpp"
#include "cli/race_ref.hpp"
#include "parsers/parsers.hpp"

#include <charconv>
#include <cmath>

namespace hydra::cli {
namespace {

constexpr double kLongest = 30 * 24 * 3600.0;
constexpr std::size_t kConfigBytes = 4u << 20;

bool something_at(const fs::path& path) {
  std::error_code ec;
  return fs::exists(fs::symlink_status(path, ec));
}

/// Opens only regular files: a FIFO would block, and a device may have no end.
Result<std::string> read_config(const fs::path& path) {
  const auto bad = [&](const std::string& why) {
    return Error{Errc::config, why, path.string(), "it must be a plain file that can be read; or remove it"};
  };
  std::error_code ec;
  const auto status = fs::status(path, ec);
  if (!fs::exists(status)) return bad("the configuration is a link to nothing");
  if (!fs::is_regular_file(status)) return bad("the configuration is no plain file");
  auto text = read_file(path, kConfigBytes);
  if (!text) return bad(text.error().message);
  return text;
}

std::optional<double> unit_seconds(std::string_view unit) {
  if (unit == "ms") return 0.001;
  if (unit == "s" || unit == "sec") return 1;
  if (unit == "m" || unit == "min") return 60;
  if (unit == "h") return 3600;
  if (unit == "d") return 86400;
  return std::nullopt;
}

}  // namespace

ConfigFiles find_config(const Paths& paths, const fs::path& cwd) {
  ConfigFiles files;
  if (something_at(paths.user_config())) files.user = paths.user_config();
  std::error_code ec;
  auto dir = fs::canonical(cwd, ec);
  if (ec) return files;
  const auto root = find_repository(dir).value_or(dir);
  for (;; dir = dir.parent_path()) {
    if (something_at(dir / "hydra.toml")) {
      files.project = dir / "hydra.toml";
      return files;
    }
    if (dir == root || dir == dir.root_path()) return files;
  }
}

Result<std::vector<config::Layer>> read_layers(const ConfigFiles& files, const fs::path& cwd) {
  std::vector<config::Layer> layers;
  for (const auto& file : {files.user, files.project}) {
    if (!file) continue;
    HYDRA_TRY(auto text, read_config(*file));
    auto name = file->string();
    if (file == files.project) {
      std::error_code ec;
      const auto relative = fs::relative(*file, fs::canonical(cwd, ec), ec);
      if (!ec && !relative.empty()) name = relative.string();
    }
    layers.push_back({std::move(name), std::move(text), file == files.project});
  }
  return layers;
}

namespace {

/// Returns the directory of the project file below the repository's root; empty: the root.
std::string place_of(const std::optional<fs::path>& project) {
  if (!project) return {};
  const auto directory = project->parent_path();
  const auto root = find_repository(directory);
  const auto relative = root ? directory.lexically_relative(*root) : fs::path();
  return relative == "." ? std::string() : relative.string();
}

}  // namespace

config::Loaded check_config(const Context& context) {
  const auto paths = context.paths();
  if (!paths) return {{}, {paths.error()}};
  const auto layers = read_layers(find_config(*paths, working_directory()), working_directory());
  if (!layers) return {{}, {layers.error()}};
  auto loaded = config::load(*layers, adapters::builtin());
  const auto check = [&](const char* kind, std::vector<Error> (*mistakes)(const std::vector<TextFile>&)) {
    const auto directory = paths->config / kind;
    for (auto& error : mistakes(toml_files(directory, &loaded.errors))) {
      error.where = (directory / error.where).string();
      loaded.errors.push_back(std::move(error));
    }
  };
  check("formats", parsers::check_formats);
  check("toolchains", config::check_toolchains);
  config::stands_in(loaded.config, place_of(find_config(*paths, working_directory()).project));
  return loaded;
}

Result<model::Config> load_config(Context& context) {
  auto loaded = check_config(context);
  if (loaded.errors.empty()) return std::move(loaded.config);
  auto last = std::move(loaded.errors.back());
  loaded.errors.pop_back();
  for (const auto& error : loaded.errors) context.fail(error);
  last.code = Errc::config;
  return last;
}

Result<double> parse_duration(std::string_view text) {
  const Error bad{
      Errc::usage, "not a duration: \"" + sanitize(text) + "\"", {}, "write it like 90s, 30m or 1h30m"};
  double total = 0;
  std::string_view rest = text;
  bool alone = true;
  if (rest.empty()) return bad;
  while (!rest.empty()) {
    if (rest.front() < '0' || rest.front() > '9') return bad;
    double number = 0;
    const auto parsed =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (parsed.ec != std::errc{}) return bad;
    rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
    const auto end = std::min(rest.find_first_of("0123456789."), rest.size());
    const auto unit = rest.substr(0, end);
    rest.remove_prefix(end);
    if (unit.empty() && (!alone || !rest.empty())) return bad;
    const auto seconds = unit.empty() ? std::optional<double>(1) : unit_seconds(unit);
    if (!seconds) return bad;
    total += number * *seconds;
    alone = false;
  }
  if (!(total > 0) || !std::isfinite(total) || total > kLongest)
    return Error{
        Errc::usage, "a duration must be above 0 and at most 30 days: \"" + sanitize(text) + "\"", {}, {}};
  return total;
}

std::vector<model::AgentEntry> with_attempts(const std::vector<model::AgentEntry>& entries, int attempts) {
  if (attempts <= 1) return entries;
  std::vector<model::AgentEntry> all;
  for (const auto& entry : entries)
    for (int i = 1; i <= attempts; ++i)
      all.push_back({entry.name + "#" + std::to_string(i), entry.id, entry.model, entry.name, i});
  return all;
}

Result<std::map<std::string, std::string>> parse_labels(const std::vector<std::string>& labels) {
  std::map<std::string, std::string> known;
  for (const auto& label : labels) {
    const auto equals = label.find('=');
    if (equals == 0 || equals == std::string::npos)
      return Error{Errc::usage, "'" + sanitize(label) + "' is no label", {}, "--label KEY=VALUE"};
    known[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return known;
}

wire::RaceRequest request_for(model::Config config, std::vector<model::AgentEntry> agents) {
  wire::RaceRequest request;
  request.directory = working_directory().string();
  request.environment = environment();
  request.agents = std::move(agents);
  request.config = std::move(config);
  config::keep_agents(request.config, request.agents);
  return request;
}

}  // namespace hydra::cli
