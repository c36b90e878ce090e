#include "cli/tui/model.hpp"

#include "base/strings.hpp"
#include "cli/render/live_table.hpp"
#include "cli/review_file.hpp"
#include "cli/tui/pages.hpp"
#include "cli/tui/view.hpp"

#include <algorithm>
#include <map>

namespace hydra::cli::tui {
namespace {

constexpr std::size_t kMostLines = 50'000;  // newest lines of a log
constexpr std::size_t kSideways = 8;        // columns

// Returns the variants of a page, in the order of Tab.
const std::vector<std::string>& variants(Page page) {
  static const std::map<Page, std::vector<std::string>> kVariants{
      {Page::log, {"agent", "setup", "build", "tests", "lint"}},
      {Page::tests, {"changed", "failed", "all"}},
      {Page::diff, {"lines", "words"}}};
  static const std::vector<std::string> kNone{""};
  const auto it = kVariants.find(page);
  return it == kVariants.end() ? kNone : it->second;
}

std::size_t last_top(const Model& model) {
  const auto rows = page_rows(model), lines = model.text.lines.size();
  return lines > rows ? lines - rows : 0;
}

void scroll(Model& model, std::int64_t by) {
  auto& text = model.text;
  const auto last = static_cast<std::int64_t>(last_top(model));
  text.top =
      static_cast<std::size_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(text.top) + by, 0, last));
  text.follow = model.page == Page::log && text.top == last_top(model);
}

void lay_out(Model& model) {
  if (model.page == Page::race) return;
  model.text.lines = page_lines(model);
  scroll(model, model.text.follow ? static_cast<std::int64_t>(model.text.lines.size()) : 0);
}

// Opens an empty page and returns the request that fills it.
Requests open_page(Model& model, Page page, Want want, const std::string& agent, std::string variant) {
  model.page = page;
  model.text = {};
  model.text.follow = page == Page::log;
  model.agent = agent;
  model.variant = std::move(variant);
  model.log = {};
  model.log_next = -1;
  model.log_ended = false;
  return {{.want = want, .agent = agent, .other = page == Page::compare ? model.other : model.variant}};
}

void find_next(Model& model, bool forward) {
  auto& text = model.text;
  const auto count = text.lines.size();
  const auto word = to_lower(text.find);
  if (word.empty() || count == 0) return;
  for (std::size_t step = 1; step <= count; ++step) {
    const auto at = forward ? (text.found + step) % count : (text.found + count * 2 - step) % count;
    if (to_lower(text_of(text.lines[at])).find(word) == std::string::npos) continue;
    text.found = at;
    text.follow = false;
    const bool seen = at >= text.top && at < text.top + page_rows(model);
    if (!seen) text.top = std::min(at, last_top(model));
    return;
  }
  model.note = "Not found: " + text.find;
}

void next_file(Model& model, bool forward) {
  const auto& lines = model.text.lines;
  const auto begins = [&](std::size_t at) { return text_of(lines[at]).starts_with("diff "); };
  auto at = model.text.top;
  do {
    if (forward ? at + 1 >= lines.size() : at == 0) return;
    forward ? ++at : --at;
  } while (!begins(at));
  model.text.top = at;
}

Requests leave_page(Model& model) {
  const auto page = model.page;
  model.page = Page::race;
  if (page != Page::help || model.before_help == Page::race) return {};
  // The page under the help was dropped, so it is requested again.
  static const std::map<Page, Want> kWants{{Page::log, Want::log},         {Page::diff, Want::diff},
                                           {Page::tests, Want::tests},     {Page::explain, Want::explain},
                                           {Page::results, Want::results}, {Page::compare, Want::compare}};
  const auto it = kWants.find(model.before_help);
  if (it == kWants.end()) return {};
  return open_page(model, it->first, it->second, model.agent, model.variant);
}

void open_help(Model& model) {
  model.before_help = model.page;
  model.page = Page::help;
  model.text = {};
  lay_out(model);
}

// Moves through a page of text; true if the key is a movement.
bool move_page(Model& model, const std::string& key) {
  const auto page = static_cast<std::int64_t>(page_rows(model));
  const auto end = static_cast<std::int64_t>(model.text.lines.size());
  static const std::map<std::string, std::pair<int, int>> kMoves{
      // lines, pages
      {"up", {-1, 0}}, {"k", {-1, 0}},        {"wheelup", {-3, 0}}, {"pageup", {0, -1}}, {"down", {1, 0}},
      {"j", {1, 0}},   {"wheeldown", {3, 0}}, {"pagedown", {0, 1}}, {" ", {0, 1}}};
  if (const auto move = kMoves.find(key); move != kMoves.end())
    scroll(model, move->second.first + move->second.second * page);
  else if (key == "home" || key == "g")
    scroll(model, -end);
  else if (key == "end" || key == "G")
    scroll(model, end);
  else
    return false;
  return true;
}

void take_comment(Model& model, const std::string& typed) {
  auto made = parse_review(typed, "comment");
  if (!made.ok() || made->front().text.empty()) {
    model.note = made.ok() ? "A comment has words." : made.error().message + " (" + made.error().hint + ")";
    return;
  }
  auto& review = model.review[model.agent];
  review.push_back(std::move(made->front()));
  model.note = counted(review.size(), "comment") + " for " + model.agent + ": R in the race sends them.";
}

Requests press_page(Model& model, const std::string& key) {
  if (move_page(model, key)) return {};
  if (key == "right")
    model.text.left += kSideways;
  else if (key == "left")
    model.text.left -= std::min(model.text.left, kSideways);
  else if (key == "/")
    model.ask = Ask{.question = "Search for", .line = true};
  else if (key == "n" || key == "N")
    find_next(model, key == "n");
  else if (key == "c" && model.page == Page::diff)
    model.ask =
        Ask{.question = "Comment as FILE:LINE: TEXT", .line = true, .text = top_line(model), .comment = true};
  else if (key == "]" || key == "[")
    next_file(model, key == "]");
  else if (key == "q" || key == "esc" || key == "backspace")
    return leave_page(model);
  else if (key == "tab" && variants(model.page).size() > 1) {
    const auto& all = variants(model.page);
    const auto at = static_cast<std::size_t>(std::find(all.begin(), all.end(), model.variant) - all.begin());
    model.variant = all[(at + 1) % all.size()];
    if (model.page == Page::diff)
      lay_out(model);
    else
      return open_page(model, model.page, model.page == Page::log ? Want::log : Want::tests, model.agent,
                       model.variant);
  }
  return {};
}

void move_row(Model& model, std::int64_t by) {
  const auto last = static_cast<std::int64_t>(model.status.agents.size()) - 1;
  model.row = static_cast<std::size_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(model.row) + by, 0,
                                                                std::max<std::int64_t>(last, 0)));
}

Requests compare(Model& model, const wire::AgentStatus& agent) {
  const auto& agents = model.status.agents;
  model.other = agent.agent;
  auto first = model.marked;
  // Nothing marked: compare with the row above; rows are sorted once the race has ended.
  if (first.empty() || first == agent.agent || find_agent(model, first) == nullptr) {
    if (agents.size() < 2) {
      model.note = "There is nobody to compare it with.";
      return {};
    }
    first = agents[model.row == 0 ? 1 : model.row - 1].agent;
  }
  return open_page(model, Page::compare, Want::compare, first, {});
}

Ask confirm(std::string question, Want want, const std::string& agent) {
  return {.question = std::move(question), .yes = Request{.want = want, .agent = agent}};
}

Requests press_agent(Model& model, const std::string& key, const wire::AgentStatus& agent) {
  const auto& name = agent.agent;
  if (key == "enter" || key == "l") return open_page(model, Page::log, Want::log, name, "agent");
  if (key == "d") return open_page(model, Page::diff, Want::diff, name, "lines");
  if (key == "t") return open_page(model, Page::tests, Want::tests, name, "changed");
  if (key == "e") return open_page(model, Page::explain, Want::explain, name, {});
  if (key == "c") return compare(model, agent);
  if (key == "m") return open_page(model, Page::merge, Want::merge_preview, name, {});
  if (key == " ") model.marked = model.marked == name ? std::string() : name;
  if (key == "x") model.ask = confirm("Stop " + name + "?", Want::cancel, name);
  if (key == "R") {
    const auto review = model.review.find(name);
    Request yes{.want = Want::retry, .agent = name};
    if (review != model.review.end()) yes.review = review->second;
    const auto with = yes.review.empty() ? "" : " with " + counted(yes.review.size(), "comment");
    model.ask = Ask{
        .question = "Run " + name + " again" + with + ". Tell it (may be empty)", .line = true, .yes = yes};
  }
  return {};
}

// A click selects an agent; a click on the selected agent opens its log.
Requests click_race(Model& model, const std::string& row) {
  const auto agent = agent_at(model, static_cast<std::size_t>(parse_int(row).value_or(0)));
  if (!agent) return {};
  if (*agent == model.row) return press_agent(model, "enter", model.status.agents[*agent]);
  model.row = *agent;
  return {};
}

Requests press_race(Model& model, const std::string& key) {
  if (key.starts_with("click ")) return click_race(model, key.substr(6));
  if (key == "q") model.quit = true;
  if (key == "up" || key == "k" || key == "wheelup") move_row(model, -1);
  if (key == "down" || key == "j" || key == "wheeldown") move_row(model, 1);
  if (key == "home" || key == "g") move_row(model, -(1 << 20));
  if (key == "end" || key == "G") move_row(model, 1 << 20);
  if (key == "r") return open_page(model, Page::results, Want::results, {}, {});
  if (key == "X") model.ask = confirm("Stop the whole race?", Want::cancel, {});
  const auto* agent = chosen(model);
  return agent == nullptr ? Requests{} : press_agent(model, key, *agent);
}

Requests press_ask(Model& model, const std::string& key) {
  auto& ask = *model.ask;
  if (model.page == Page::merge && move_page(model, key)) return {};
  if (key.starts_with("click ")) return {};  // a click is no answer
  if (ask.line && key == "backspace") {
    while (!ask.text.empty() && (static_cast<unsigned char>(ask.text.back()) & 0xC0) == 0x80)
      ask.text.pop_back();
    if (!ask.text.empty()) ask.text.pop_back();
    return {};
  }
  // Key names have several ASCII characters, typed characters only one.
  const bool named = key.size() > 1 && static_cast<unsigned char>(key.front()) < 0x80;
  if (ask.line && !named) {
    ask.text += key;
    return {};
  }
  const bool yes = ask.line ? key == "enter" : key == "y" || key == "Y";
  if (ask.line && !yes && key != "esc") return {};
  auto done = std::move(*model.ask);
  model.ask.reset();
  if (model.page == Page::merge) model.page = Page::race;
  if (!yes) {
    if (done.yes && done.yes->want == Want::merge) model.note = "Nothing was merged.";
    return {};
  }
  if (done.comment) {
    take_comment(model, done.text);
    return {};
  }
  if (!done.yes) {
    model.text.find = done.text;
    const auto count = model.text.lines.size();
    model.text.found = count == 0 ? 0 : (model.text.top + count - 1) % count;  // from the top line on
    find_next(model, true);
    return {};
  }
  if (done.line) done.yes->message = done.text;
  return {*done.yes};
}

void take_log(Model& model, const Answer& answer) {
  const auto add = [&](const std::string& block) {
    for (const auto line : lines(block)) {
      auto text = std::string(line);
      model.text.lines.push_back(model.style.utf8 ? std::move(text) : model.style.safe(text));
    }
  };
  add(model.log.feed(answer.body));
  if (answer.ended && answer.body.empty()) add(model.log.finish());
  model.log_ended = answer.ended && answer.body.empty();
  model.log_next = answer.next_offset;
  auto& all = model.text.lines;
  if (all.size() > kMostLines) all.erase(all.begin(), all.end() - kMostLines);
  scroll(model, model.text.follow ? static_cast<std::int64_t>(all.size()) : 0);
}

void take_refusal(Model& model, const Request& request, const Error& error) {
  model.note = error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
  if (request.want == Want::log) {
    model.log_ended = true;  // the log does not exist, or not yet
    return;
  }
  if (request.want <= Want::merge_preview) model.page = Page::race;
}

}  // namespace

namespace {

// Sorts the agents as ranked.
void sort_ranked(wire::Status& status) {
  const auto place = [&status](const wire::AgentStatus& agent) {
    const auto& reasons = status.order_reasons;
    const auto below = std::find_if(reasons.begin(), reasons.end(),
                                    [&agent](const auto& reason) { return reason.below == agent.agent; });
    const bool first = !reasons.empty() && reasons.front().above == agent.agent;
    return first ? 0 : 1 + (below - reasons.begin());
  };
  std::stable_sort(status.agents.begin(), status.agents.end(),
                   [&place](const auto& a, const auto& b) { return place(a) < place(b); });
}

}  // namespace

void take_status(Model& model, wire::Status status, std::int64_t now_ms) {
  const auto here = chosen(model) == nullptr ? std::string() : chosen(model)->agent;
  const bool over = is_over(status.state), ends = over && !is_over(model.status.state);
  if (over) sort_ranked(status);
  for (auto& agent : status.agents)
    if (const auto* before = find_agent(model, agent.agent); before != nullptr && agent.growth.empty())
      agent.growth = before->growth;
  model.status = std::move(status);
  model.status_ms = now_ms;
  model.known = true;
  const auto* row = find_agent(model, ends ? model.status.winner : here);
  model.row = row == nullptr ? 0 : static_cast<std::size_t>(row - model.status.agents.data());
}

void resize(Model& model, Size size) {
  if (model.size == size) return;
  model.size = size;
  model.style.width = size.columns;
  lay_out(model);
}

Requests press(Model& model, const std::string& key) {
  model.touched = true;
  model.note.clear();
  if (model.ask) return press_ask(model, key);
  if (key == "?" && model.page != Page::help) {
    open_help(model);
    return {};
  }
  if (key == "M") model.mouse = !model.mouse;
  return model.page == Page::race ? press_race(model, key) : press_page(model, key);
}

Requests wanted_now(const Model& model) {
  if (model.page != Page::log || model.log_ended || model.log_next < 0) return {};
  return {{.want = Want::log, .agent = model.agent, .other = model.variant, .offset = model.log_next}};
}

void take_answer(Model& model, const Request& request, const Result<Answer>& answer) {
  if (!answer) return take_refusal(model, request, answer.error());
  switch (request.want) {
    case Want::log:
      return take_log(model, *answer);
    case Want::merge:
      model.note = merged_note(answer->body);
      return;
    case Want::cancel:
      model.note = (request.agent.empty() ? "The race" : request.agent) +
                   " is being cancelled. The work so far is kept.";
      return;
    case Want::retry:
      model.note = request.agent + " runs again.";
      model.review.erase(request.agent);
      model.ended = false;
      return;
    case Want::merge_preview:
      model.ask = merge_question(model, answer->body);
      break;
    case Want::diff:
    case Want::tests:
    case Want::explain:
    case Want::results:
    case Want::compare:
      break;
  }
  model.text.body = answer->body;
  lay_out(model);
}

const wire::AgentStatus* chosen(const Model& model) {
  return model.row < model.status.agents.size() ? &model.status.agents[model.row] : nullptr;
}

const wire::AgentStatus* find_agent(const Model& model, const std::string& name) {
  const auto& agents = model.status.agents;
  const auto it = std::find_if(agents.begin(), agents.end(), [&](const auto& a) { return a.agent == name; });
  return it == agents.end() ? nullptr : &*it;
}

std::size_t page_rows(const Model& model) { return model.size.rows > 4 ? model.size.rows - 3 : 1; }

std::vector<KeyText> keys_of(Page page) {
  if (page == Page::race)
    return {{"?", "keys", "this list"},
            {"q", "quit", "leave; the race continues"},
            {"enter, l", "log", "what the agent prints; Tab: of its set-up, build, tests, lint"},
            {"d", "diff", "what it changed; Tab: by words; ] and [: next file"},
            {"m", "merge", "show what a merge would do, and ask"},
            {"t", "tests", "tests by name and agent; Tab: changed, failed, all"},
            {"e", "explain", "why it got its score"},
            {"r", "results", "ranking and evidence"},
            {"c", "compare", "two agents side by side: with the marked one, or the one above"},
            {"space", "mark", "the agent to compare with"},
            {"x", "stop", "stop the agent; its work is kept"},
            {"R", "retry", "retry with a message"},
            {"X", "", "stop the whole race"},
            {"up, down", "", "another agent; also k and j"},
            {"M", "", "the mouse, on or off: wheel, and a click on an agent"},
            {"Ctrl-C", "", "leave; twice: cancel the race"}};
  return {{"?", "keys", "the list of keys"},
          {"q", "back", "back to the race; also Esc"},
          {"/", "search", "search; n and N: next and previous"},
          {"n, N", "next", "next and previous place"},
          {"tab", variants(page).size() > 1 ? "other form" : "", "another log, other tests, another form"},
          {"space", "", "a page on; also PgDn, PgUp, g, G"},
          {"left, right", "", "long lines"},
          {"], [", page == Page::diff ? "file" : "", "next and previous file of a diff"},
          {"c", page == Page::diff ? "comment" : "",
           "comment on the first line of a diff in view; R in the race sends it"}};
}

}  // namespace hydra::cli::tui
