#include "cli/context.hpp"
#include "cli/views.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

struct Args {
  bool json = false;
};

std::string mark(const std::string& status, const Style& style) {
  if (status == "ok") return style.paint(Paint::green, pad(std::string(style.tick()), 4));
  if (status == "warn") return style.paint(Paint::yellow, "warn");
  return style.paint(Paint::red, "fail");
}

int doctor(const Args& args, Context& context) {
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto body = client->call("POST", "/v1/doctor",
                                 "{\"environment\":" + environment_json() + ",\"directory\":" +
                                     json_string(std::filesystem::current_path().string()) + "}");
  if (!body) return context.fail(body.error());
  const auto view = parse_doctor(*body);
  if (!view) return context.fail(view.error());
  if (args.json) {
    print_line(*body);
    return view->ok ? kDone : kFailed;
  }
  const auto& style = context.out();
  for (const auto& check : view->checks) {
    print_line(fmt::format("{}  {}: {}", mark(check.status, style), style.safe(check.name),
                           style.safe(check.detail)));
    if (check.status != "ok" && !check.remedy.empty()) print_line("      " + style.safe(check.remedy));
  }
  print_line(view->ok ? "This machine can race." : "Something is missing: see the lines marked fail.");
  return view->ok ? kDone : kFailed;
}

}  // namespace

Verb doctor_verb() {
  auto args = std::make_shared<Args>();
  return {"doctor",
          "What this machine can do, what it lacks, and how to get it",
          {"hydra doctor", "hydra doctor --json"},
          [args](Options& o) { o.flag("--json", args->json, "the checks as JSON (docs/api.md)"); },
          [args](Context& context) { return doctor(*args, context); },
          {}};
}

}  // namespace hydra::cli
