#include "base/paths.hpp"
#include "base/read_files.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/project.hpp"
#include "cli/render/views.hpp"
#include "model/json_value.hpp"

namespace hydra::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct ConfigArgs {
  bool json = false;
};

std::string path_text(const std::optional<std::filesystem::path>& path) {
  return path ? path->string() : std::string();
}

OrderedJson path_json(const std::optional<std::filesystem::path>& path) {
  return path ? OrderedJson(to_utf8(path->string())) : OrderedJson(nullptr);
}

int check_json(Context& context, const Paths& paths) {
  const auto files = find_config(paths, working_directory());
  const auto checked = check_config(context);
  auto errors = OrderedJson::array();
  for (const auto& error : checked.errors)
    errors.push_back({{"where", to_utf8(error.where)},
                      {"message", to_utf8(error.message)},
                      {"hint", to_utf8(error.hint)}});
  print_line(one_line({{"schema", 1},
                       {"ok", errors.empty()},
                       {"user", path_json(files.user)},
                       {"project", path_json(files.project)},
                       {"errors", errors}}));
  return errors.empty() ? kDone : kUsage;
}

int check(const ConfigArgs& args, Context& context) {
  const auto paths = context.paths();
  if (!paths) return context.fail(paths.error());
  if (args.json) return check_json(context, *paths);
  const auto config = load_config(context);
  if (!config) return kUsage;
  const auto files = find_config(*paths, working_directory());
  for (const auto& file : {files.user, files.project})
    if (file) print_line("fine: " + context.out().safe(file->string()));
  for (const auto* kind : {"formats", "toolchains"})
    for (const auto& file : toml_files(paths->config / kind))
      print_line("fine: " + context.out().safe((paths->config / kind / file.name).string()));
  if (!files.user && !files.project)
    print_line("No configuration file: defaults only. `hydra init` proposes one.");
  if (!config->scoring.build_command && !config->scoring.test_command && !config->scoring.lint_command)
    context.warn("no build_command, test_command or lint_command: only diff size and speed would be scored");
  return kDone;
}

int show(Context& context) {
  const auto config = load_config(context);
  if (!config) return kUsage;
  const auto text =
      model::config_value(*config).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  print(pretty_json(with_schema(text)));
  return kDone;
}

int path(const ConfigArgs& args, Context& context) {
  const auto paths = context.paths();
  if (!paths) return context.fail(paths.error());
  const auto files = find_config(*paths, working_directory());
  const auto user = path_text(files.user), project = path_text(files.project);
  if (args.json) {
    print_line(
        one_line({{"schema", 1}, {"user", path_json(files.user)}, {"project", path_json(files.project)}}));
    return kDone;
  }
  const auto& style = context.out();
  print_line("user:    " +
             (user.empty() ? style.safe(paths->user_config().string()) + " (none)" : style.safe(user)));
  print_line("project: " + (project.empty() ? std::string("hydra.toml (none)") : style.safe(project)));
  return kDone;
}

}  // namespace

Verb config_verb() {
  auto args = std::make_shared<ConfigArgs>();
  Verb verb{"config",
            "Check or show the configuration",
            {"hydra config check", "hydra config show", "hydra config path"},
            {},
            {},
            {}};
  verb.children.push_back({"check",
                           "Read the configuration files and report every mistake",
                           {"hydra config check", "hydra config check --json"},
                           [args](Options& o) {
                             o.flag("--json", args->json,
                                    "the mistakes as one JSON object (docs/results.md)");
                           },
                           [args](Context& context) { return check(*args, context); },
                           {}});
  verb.children.push_back(
      {"show",
       "The whole resolved configuration as JSON",
       {"hydra config show", "hydra config show | jq .scoring"},
       [args](Options& o) { o.flag("--json", args->json, "the same: it is always JSON"); },
       [](Context& context) { return show(context); },
       {}});
  verb.children.push_back(
      {"path",
       "The files that are read",
       {"hydra config path"},
       [args](Options& o) { o.flag("--json", args->json, "as JSON, null for a file that isn't there"); },
       [args](Context& context) { return path(*args, context); },
       {}});
  return verb;
}

}  // namespace hydra::cli
