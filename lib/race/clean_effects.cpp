// `hydra clean`: one race after the other, so that the loop answers in between; and the disk that races take.
#include "race/clean.hpp"
#include "race/impl.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hydra::race {
namespace {

using nlohmann::json;

json item_json(const CleanItem& item) {
  return {{"kind", item.kind},   {"race", item.race},     {"agent", item.agent}, {"path", item.path},
          {"bytes", item.bytes}, {"age_ms", item.age_ms}, {"kept", item.kept}};
}

// A plan is made and, where asked, carried out race by race.
class Cleaning : public std::enable_shared_from_this<Cleaning> {
 public:
  Cleaning(Service& face, Service::Impl& service, CleanCall call,
           std::function<void(Result<std::string>)> done)
      : face_(face), service_(service), call_(std::move(call)), done_(std::move(done)) {}

  void start() {
    const auto rows = service_.store.races({}, 1u << 20);
    if (!rows.ok()) return done_(rows.error());
    for (const auto& row : *rows) {
      known_.insert(row.id);
      if (call_.race.empty() || row.id == call_.race) ids_.push_back(row.id);
    }
    next();
  }

 private:
  void next() {
    if (at_ == ids_.size()) return finish();
    const auto id = ids_[at_++];
    std::error_code ec;
    const Layout layout(service_.options.paths.state, id);
    if (!fs::exists(layout.root(), ec)) return again();
    const auto live = service_.races.find(id);
    if (live != service_.races.end() && live->second->state.ended.empty()) {
      items_.push_back({"race", id, {}, layout.root().string(), 0, 0, "it is running"});
      return again();
    }
    const auto race = service_.load(id);
    if (!race.ok()) {
      items_.push_back({"race", id, {}, layout.root().string(), 0, 0, describe(race.error())});
      return again();
    }
    // On the thread of the merges, so that none is under way meanwhile.
    boost::asio::post(
        service_.merge_pool, [self = shared_from_this(), race = *race, now = service_.clock.now()] {
          auto items = examine(race->state, race->layout, *race->store, self->call_.ages, now);
          if (self->call_.apply) remove_items(race->state, race->layout, items);
          boost::asio::post(self->service_.loop, [self, id = race->state.spec.id, items = std::move(items)] {
            self->items_.insert(self->items_.end(), items.begin(), items.end());
            if (self->call_.apply) self->service_.measure_disk(id);
            self->next();
          });
        });
  }

  void again() {
    boost::asio::post(service_.loop, [self = shared_from_this()] { self->next(); });
  }

  // What no race owns: shown, never touched.
  void finish() {
    if (!call_.race.empty()) return answer({});
    service_.background(
        [state = service_.options.paths.state, known = known_] {
          std::vector<CleanItem> items;
          std::error_code ec;
          for (const auto& entry : fs::directory_iterator(state / "races", ec)) {
            const auto name = entry.path().filename().string();
            if (known.contains(name)) continue;
            items.push_back({"unknown",
                             {},
                             {},
                             entry.path().string(),
                             disk_bytes(entry.path()),
                             0,
                             "no race is recorded for it; remove it yourself if you know it"});
          }
          for (const auto& entry : fs::directory_iterator(state / "trash", ec))
            items.push_back({"trash", {}, {}, entry.path().string(), disk_bytes(entry.path()), 0, {}});
          return items;
        },
        [self = shared_from_this()](const std::vector<CleanItem>& items) { self->answer(items); });
  }

  void answer(const std::vector<CleanItem>& more) {
    items_.insert(items_.end(), more.begin(), more.end());
    json j{{"applied", call_.apply}, {"items", json::array()}};
    for (const auto& item : items_) j["items"].push_back(item_json(item));
    auto send = [done = done_, j](const Result<std::string>& templates) mutable {
      if (templates.ok()) j.update(json::parse(*templates));
      done(j.dump(-1, ' ', false, json::error_handler_t::replace));
    };
    if (!call_.race.empty()) return send(std::string("{\"templates\":[]}"));
    if (call_.apply) return face_.clean_templates(send);
    face_.list_templates(send);
  }

  Service& face_;
  Service::Impl& service_;
  CleanCall call_;
  std::function<void(Result<std::string>)> done_;
  std::set<std::string> known_;
  std::vector<std::string> ids_;
  std::size_t at_ = 0;
  std::vector<CleanItem> items_;
};

}  // namespace

void Service::clean(CleanCall call, std::function<void(Result<std::string>)> done) {
  std::make_shared<Cleaning>(*this, *impl_, std::move(call), std::move(done))->start();
}

void Service::restore(const std::string& id, std::function<void(Result<std::string>)> done) {
  const auto loaded = impl_->load(id);
  if (!loaded.ok()) return done(loaded.error());
  const auto race = *loaded;
  if (race->state.ended.empty()) return done(Error{Errc::conflict, "the race is running", id, {}});
  boost::asio::post(impl_->merge_pool, [this, race, done] {
    auto made = restore_workspaces(race->state, race->layout, *race->store);
    boost::asio::post(impl_->loop, [this, race, made = std::move(made), done] {
      if (!made.ok()) return done(made.error());
      impl_->measure_disk(race->state.spec.id);
      done(json{{"race", race->state.spec.id}, {"restored", *made}}.dump());
    });
  });
}

std::optional<std::uint64_t> Service::Impl::disk_of(const std::string& race) {
  const auto found = disk.find(race);
  const bool running = races.contains(race);
  constexpr std::int64_t kFresh = 10'000;
  if (found == disk.end() || (running && clock.now() - found->second.at_ms > kFresh)) measure_disk(race);
  if (found == disk.end()) return std::nullopt;
  return found->second.bytes;
}

void Service::Impl::measure_disk(const std::string& race) {
  if (!measuring.insert(race).second) return;
  background([root = Layout(options.paths.state, race).root()] { return disk_bytes(root); },
             [this, race](std::uint64_t bytes) {
               measuring.erase(race);
               disk[race] = {bytes, clock.now()};
             });
}

Result<void> check_disk_limit(const Paths& paths, double gib) {
  if (gib <= 0) return {};
  constexpr double kGib = 1u << 30;
  const auto used =
      static_cast<double>(disk_bytes(paths.state / "races") + disk_bytes(paths.state / "templates") +
                          disk_bytes(paths.state / "trash"));
  if (used <= gib * kGib) return {};
  return Error{
      Errc::environment,
      fmt::format("Hydra's races and templates take {:.2f} GiB, and [limits] disk_gib is {:g}: no new race "
                  "starts",
                  used / kGib, gib),
      paths.state.string(), "`hydra clean` shows what can go"};
}

}  // namespace hydra::race
