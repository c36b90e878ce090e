// `hydra ui`: the scoreboard. The access code is never a program's argument, which other users could read:
// the browser opens a private file that redirects to the address.
#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "exec/tool.hpp"
#include "launch/launch.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"
#include "wire/requests.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

namespace fs = std::filesystem;

struct UiArgs {
  std::string race, suite_run;
  std::vector<std::string> allow_ports;
  int port = 0;
  bool no_open = false, stop = false, json = false;
};

Result<std::vector<int>> read_ports(const std::vector<std::string>& ports) {
  std::vector<int> list;
  for (const auto& text : ports) {
    const auto port = parse_int(text);
    if (!port || *port < 1 || *port > 65535)
      return Error{Errc::usage, "'" + sanitize(text) + "' is no port", "command line: --allow-port", {}};
    list.push_back(static_cast<int>(*port));
  }
  return list;
}

/// A file that redirects one browser to the address, readable by this user only and removed afterwards.
class Redirect {
 public:
  static Result<Redirect> write(const fs::path& directory, const std::string& url) {
    Redirect made(directory / ("ui-" + RandomIds().token() + ".html"));
    const UniqueFd fd(::open(made.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd) return system_error("cannot write " + made.path_.string(), errno);
    const auto text =
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
        "<meta http-equiv=\"refresh\" content=\"0;url=" +
        url + "\"><title>Hydra</title>\n";
    if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      return system_error("cannot write " + made.path_.string(), errno);
    return made;
  }
  Redirect(Redirect&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Redirect& operator=(Redirect&&) = delete;
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;
  ~Redirect() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  [[nodiscard]] std::string address() const { return "file://" + path_.string(); }

 private:
  explicit Redirect(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

/// Returns $BROWSER if it is a program, else the desktop's opener; empty: none, or no display.
std::string browser_of(const Context& context) {
  const auto& env = context.env();
  if (const auto named = env("BROWSER");
      named && !named->empty() && named->find_first_of(" %:") == std::string::npos)
    return exec::find_program(*named, env("PATH").value_or("")).string();
  const auto set = [&](const char* name) { return !env(name).value_or("").empty(); };
  if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) return {};
  return exec::find_program("xdg-open", env("PATH").value_or("")).string();
}

// Waits a few seconds until the browser has used the code; false: it has not.
bool code_used(client::Client& client, std::uint64_t other_codes) {
  constexpr std::chrono::seconds kPatience{5};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    const auto view = get<wire::Ui>(client, "/v1/ui");
    if (!view || view->codes <= other_codes) return view.ok();
    ::poll(nullptr, 0, 100);
  }
  return false;
}

Result<int> stop_ui(const UiArgs& args, Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  auto client = client::Client::connect(paths);
  bool closed = false;
  if (client) {
    HYDRA_TRY(const auto body, client->call("DELETE", "/v1/ui"));
    const auto answer = wire::from_json<wire::ClosedUi>(body);
    closed = answer.ok() && answer->closed;
  }
  if (args.json) return print_json(wire::to_json(wire::ClosedUi{closed}));
  return say(closed ? "The scoreboard is closed; all sessions are signed out."
                    : "The scoreboard is not open.");
}

struct Opened : wire::OpenedUi {
  std::uint64_t other_codes = 0;  ///< number of earlier unused links
};

Result<Opened> open_ui(const UiArgs& args, client::Client& client) {
  HYDRA_TRY(const auto ports, read_ports(args.allow_ports));
  HYDRA_TRY(const auto view, get<wire::Ui>(client, "/v1/ui"));
  if (!view.page)
    return Error{Errc::refused,
                 "this hydrad was built without the scoreboard",
                 {},
                 "install esbuild (Debian: apt-get install esbuild) and build again"};
  wire::UiRequest request{args.port, ports, {}, environment()};
  if (!args.race.empty()) {
    HYDRA_TRY(const auto status, get_status(client, args.race));
    request.race = status.race;
  }
  HYDRA_TRY(auto opened, post<wire::OpenedUi>(client, "/v1/ui", request));
  if (opened.url.empty()) return Error{Errc::protocol, "the daemon gave no link", {}, {}};
  if (!args.suite_run.empty() && args.race.empty())
    opened.url += "&to=/suite/" + client::url_encode(args.suite_run);
  return Opened{std::move(opened), view.codes};
}

void show_in_browser(const UiArgs& args, Context& context, client::Client& client, const Opened& opened) {
  const auto paths = context.paths();
  const auto browser = args.no_open || !paths ? std::string() : browser_of(context);
  const auto link = "Open this link within a minute, it works once:\n" + opened.url;
  if (browser.empty()) return print_line(link);
  const auto file = Redirect::write(paths->runtime, opened.url);
  if (!file || !launch::start_detached(browser, {file->address()}).ok()) return print_line(link);
  print_line("The scoreboard opens in your browser (http://127.0.0.1:" + std::to_string(opened.port) + "/).");
  if (!code_used(client, opened.other_codes)) print_line("Nothing has come from the browser yet. " + link);
}

Result<int> ui(const UiArgs& args, Context& context) {
  if (args.stop) return stop_ui(args, context);
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto opened, open_ui(args, client));
  if (args.json) return print_json(wire::to_json<wire::OpenedUi>(opened));
  show_in_browser(args, context, client, opened);
  return kDone;
}

}  // namespace

Verb ui_verb() {
  return verb_of<UiArgs>(
      "ui", "The scoreboard: races, results, diffs and merges on a page in your browser",
      {"hydra ui", "hydra ui 01jx4k", "hydra ui --suite-run tb1x2k9f3a", "hydra ui --no-open --port 7777",
       "hydra ui --stop"},
      [](Options& o, UiArgs& args) {
        o.positional("race", args.race, false,
                     "id of a race, or a unique prefix of one: the page begins there");
        o.value("--suite-run", args.suite_run, "RUN", "a run of `hydra bench`: the page begins there");
        o.flag("--no-open", args.no_open, "print the link, open no browser");
        o.number("--port", args.port, 1, 65535, "port on 127.0.0.1 (default: any free one)");
        o.words("--allow-port", args.allow_ports, "N",
                "another local port that leads here, as ssh -L makes it");
        o.flag("--stop", args.stop, "close it and sign everybody out");
        o.flag("--json", args.json, "the link as JSON; opens no browser");
      },
      ui);
}

}  // namespace hydra::cli
