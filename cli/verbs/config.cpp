#include "config/config.hpp"

#include "base/paths.hpp"
#include "base/read_files.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/project.hpp"
#include "cli/render/views.hpp"
#include "model/json_value.hpp"

namespace hydra::cli {
namespace {

struct KeysArgs {
  bool all = false;
};

std::string path_text(const std::optional<std::filesystem::path>& path) {
  return path ? path->string() : std::string();
}

OrderedJson path_json(const std::optional<std::filesystem::path>& path) {
  return path ? OrderedJson(to_utf8(path->string())) : OrderedJson(nullptr);
}

Result<int> check_json(Context& context, const Paths& paths) {
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

Result<int> check(const JsonArgs& args, Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  if (args.json) return check_json(context, paths);
  HYDRA_TRY(const auto config, load_config(context));
  const auto files = find_config(paths, working_directory());
  for (const auto& file : {files.user, files.project})
    if (file) print_line("fine: " + context.out().safe(file->string()));
  for (const auto* kind : {"formats", "toolchains"})
    for (const auto& file : toml_files(paths.config / kind))
      print_line("fine: " + context.out().safe((paths.config / kind / file.name).string()));
  if (!files.user && !files.project)
    print_line("No configuration file: defaults only. `hydra init` proposes one.");
  if (!config.scoring.build_command && !config.scoring.test_command && !config.scoring.lint_command)
    context.warn("no build_command, test_command or lint_command: only diff size and speed would be scored");
  return kDone;
}

Result<int> show(const JsonArgs&, Context& context) {
  HYDRA_TRY(const auto config, load_config(context));
  return say(pretty_json(with_schema(one_line(model::config_value(config)))));
}

Result<int> path(const JsonArgs& args, Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  const auto files = find_config(paths, working_directory());
  const auto user = path_text(files.user), project = path_text(files.project);
  if (args.json)
    return say(
        one_line({{"schema", 1}, {"user", path_json(files.user)}, {"project", path_json(files.project)}}));
  const auto& style = context.out();
  print_line("user:    " +
             (user.empty() ? style.safe(paths.user_config().string()) + " (none)" : style.safe(user)));
  return say("project: " + (project.empty() ? std::string("hydra.toml (none)") : style.safe(project)));
}

}  // namespace

Verb config_verb() {
  return verb_of<KeysArgs>(
      "config", "List the keys of hydra.toml; check or show the configuration",
      {"hydra config --all", "hydra config check", "hydra config show", "hydra config path"},
      [](Options& o, KeysArgs& args) { o.flag("--all", args.all, "every key, not only the usual ones"); },
      [](const KeysArgs& args, Context&) -> Result<int> {
        print(args.all ? config::all_keys() : config::example());
        return kDone;
      },
      {verb_of<JsonArgs>(
           "check", "Read the configuration files and report every mistake",
           {"hydra config check", "hydra config check --json"},
           [](Options& o, JsonArgs& args) {
             o.flag("--json", args.json, "the mistakes as one JSON object (docs/api.md)");
           },
           check),
       verb_of<JsonArgs>(
           "show", "The whole resolved configuration as JSON",
           {"hydra config show", "hydra config show | jq .scoring"},
           [](Options& o, JsonArgs& args) { o.flag("--json", args.json, "the same: it is always JSON"); },
           show),
       verb_of<JsonArgs>(
           "path", "The files that are read", {"hydra config path"},
           [](Options& o, JsonArgs& args) {
             o.flag("--json", args.json, "as JSON, null for a file that isn't there");
           },
           path)});
}

}  // namespace hydra::cli
