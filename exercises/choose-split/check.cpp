// choose-split: three trainings to be cut up among devices, judged by what the cut costs in memory and time.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/text/toml_value.hpp"
#include "training/parallel/estimate.hpp"

namespace warpbook::exercises {
namespace choose_split_check {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;
using training::BlockPlan;
using training::Schedule;
using training::Split;
using training::SplitEstimate;

const std::string kWords = "choose-split.";
constexpr std::int64_t kStations = 8192, kHidden = 4 * kStations;
/// With fewer rows a product is too thin to keep a GPU busy, and the estimate would not hold.
constexpr std::int64_t kLeastRows = 4096;
/// As much slower than the fastest cut that fits may a step be: what a colleague would not argue about.
constexpr double kSlower = 1.05;

/// A training of the task.
struct Service {
  const char* name;
  const char* gpu;
  std::size_t devices, devices_each;
  const char *inner, *outer;
  std::int64_t blocks, days;
};
constexpr Service kServices[]{
    {"plenty", "h200", 8, 8, "pcie-5", "pcie-5", 8, 131072},
    {"tight", "h100", 8, 8, "pcie-5", "pcie-5", 32, 65536},
    {"apart", "h200", 16, 8, "nvlink-4", "ethernet", 32, 32768},
};

training::Machines machines_of(const Service& service) {
  return {device::find_gpu(service.gpu), service.devices_each,
          lab::require(training::find_link(service.inner)),
          lab::require(training::find_link(service.outer))};
}

std::int64_t rows_of(const BlockPlan& plan) {
  const auto parts = static_cast<std::int64_t>(plan.split.data * plan.micro_batches);
  return plan.shape.rows % parts == 0 ? plan.shape.rows / parts : 0;
}

/// The seconds of the fastest cut that follows the task's rules and fits.
double fastest(const Service& service) {
  const training::Machines machines = machines_of(service);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t data = 1; data <= service.devices; ++data) {
    for (std::size_t tensor = 1; data * tensor <= service.devices; ++tensor) {
      BlockPlan plan{{service.blocks, kStations, kHidden, service.days},
                     {data, tensor, service.devices / (data * tensor)}};
      if (plan.split.devices() != service.devices ||
          service.blocks % static_cast<std::int64_t>(plan.split.pipeline) != 0)
        continue;
      for (plan.micro_batches = 1; rows_of(plan) >= kLeastRows || rows_of(plan) == 0;
           ++plan.micro_batches) {
        if (rows_of(plan) == 0) continue;
        for (const Schedule schedule : {Schedule::gpipe, Schedule::one_f_one_b}) {
          plan.schedule = schedule;
          const SplitEstimate made = training::estimate_split(plan, machines);
          if (made.fits(*machines.gpu)) best = std::min(best, made.total.seconds);
        }
      }
    }
  }
  return best;
}

struct Request {
  BlockPlan plan;
  std::uint32_t line = 0;  ///< of its table
};

std::optional<Request> read_request(lab::TomlReader& outer, const Service& service) {
  const lab::TomlValue* table = outer.any(service.name);
  if (table == nullptr || !std::holds_alternative<lab::TomlTable>(table->value)) {
    outer.refuse(
        service.name, table ? lab::describe(*table) : lab::toml_phrase("absent"),
        lab::toml_phrase(
            "table-of-keys",
            {{"name", std::string(service.name)},
             {"keys", lab::listed({"data", "tensor", "pipeline", "micro_batches", "schedule"})}}));
    return std::nullopt;
  }
  lab::TomlReader reader(service.name, *table, outer.file());
  Request request;
  request.line = table->line;
  const auto count = [&](const char* key) -> std::size_t {
    const std::int64_t value = reader.integer(key);
    // As many as there are rows would already be more than any cut has.
    if (value < 1 || value > service.days) {
      reader.refuse(key, lab::Message::plain(std::to_string(value)),
                    {"choose-split.any.count",
                     {{"most", lab::grouped(static_cast<std::uint64_t>(service.days))}},
                     {}});
      return 1;
    }
    return static_cast<std::size_t>(value);
  };
  request.plan.shape = {service.blocks, kStations, kHidden, service.days};
  request.plan.split = {count("data"), count("tensor"), count("pipeline")};
  request.plan.micro_batches = count("micro_batches");
  const std::string schedule = reader.text("schedule");
  const auto& names = device::kEnumNames<Schedule>;
  const auto found = std::ranges::find(names, schedule);
  if (found != names.end())
    request.plan.schedule = static_cast<Schedule>(found - names.begin());
  else if (!schedule.empty())
    reader.refuse("schedule", lab::in_quotes(schedule), lab::one_of_quoted({"gpipe", "1f1b"}));
  if (auto error = reader.finish()) {
    outer.keep(std::move(*error));
    return std::nullopt;
  }
  return request;
}

/// What a cut costs, in words, too: "–" where it is of another number of devices.
struct Costs {
  lab::MessageArguments told = [] {
    lab::MessageArguments unknown;
    for (const char* name :
         {"memory", "kept", "room", "time", "compute", "sums", "waits", "gradients", "slower"})
      unknown.emplace_back(name, std::string("–"));
    return unknown;
  }();
  double seconds = 0;
  bool fits = true;
  const char* most = "waits";  ///< on which the most time is lost
};

Costs costs_of(const Service& service, const BlockPlan& plan) {
  const training::Machines machines = machines_of(service);
  const SplitEstimate made = training::estimate_split(plan, machines);
  const auto bytes = [](double number) {
    return lab::byte_count(static_cast<std::uint64_t>(number));
  };
  Costs costs;
  costs.seconds = made.total.seconds;
  costs.fits = made.fits(*machines.gpu);
  const double waits = made.waits.seconds, sums = made.sums.seconds,
               gradients = made.gradients.seconds, largest = std::max({waits, sums, gradients});
  costs.most = largest == waits ? "waits" : largest == sums ? "sums" : "gradients";
  costs.told = {{"memory", bytes(made.memory.total())},
                {"kept", bytes(made.memory.activations)},
                {"room", bytes(static_cast<double>(machines.gpu->global_bytes))},
                {"time", lab::duration(costs.seconds)},
                {"compute", lab::duration(made.compute.seconds)},
                {"sums", lab::duration(sums)},
                {"waits", lab::duration(waits)},
                {"gradients", lab::duration(gradients)},
                {"slower", lab::number(100 * (costs.seconds / fastest(service) - 1), 2)}};
  return costs;
}

/// The gate of a service: the first thing that does not hold is the one next thing to say.
Item judged(const Service& service, const Request& request) {
  const BlockPlan& plan = request.plan;
  const std::string id = service.name;
  Item item{id, State::passed, {kWords + id + ".sentence", {}, {}}};
  item.line = request.line;
  const auto fail = [&](const char* advice) {
    if (item.state == State::failed) return;
    item.state = State::failed;
    item.advice.key = kWords + "any." + advice;
  };
  lab::MessageArguments told{{"devices", plan.split.devices()},
                             {"wanted", service.devices},
                             {"stages", plan.split.pipeline},
                             {"blocks", service.blocks},
                             {"rows", static_cast<std::uint64_t>(rows_of(plan))},
                             {"least", lab::grouped(static_cast<std::uint64_t>(kLeastRows))}};
  if (plan.split.devices() != service.devices) fail("devices");
  // Of another number of devices nothing is estimated.
  const bool estimated = item.state == State::passed;
  const Costs costs = estimated ? costs_of(service, plan) : Costs{};
  told.insert(told.end(), costs.told.begin(), costs.told.end());
  if (service.blocks % static_cast<std::int64_t>(plan.split.pipeline) != 0) fail("blocks");
  if (rows_of(plan) == 0) fail("uneven");
  if (rows_of(plan) < kLeastRows) fail("thin");
  if (!costs.fits) fail("memory");
  if (costs.seconds > kSlower * fastest(service)) fail(costs.most);
  if (item.state == State::failed) item.advice.arguments = told;
  if (item.state == State::passed) item.line = 0;
  item.got = {kWords + (estimated ? "any.got" : "any.devices-used"), told, {}};
  return item;
}

void check(lab::Checker& checker) {
  Item reads{"reads", State::passed, {kWords + "reads.sentence", {}, {}}};
  const auto fail = [&](const device::Error& error) {
    reads.state = State::failed;
    device::Error bare = error;
    bare.place = {};
    reads.got = lab::Message::plain(bare.english());
    reads.line = error.place.line;
    reads.advice = {kWords + "reads.advice", {}, {}};
    checker.result.items = {reads};
  };
  const auto table = lab::parse_toml(checker.source, checker.file_name);
  if (!table) return fail(table.error());
  lab::TomlReader reader(checker.file_name, *table, checker.file_name);
  std::vector<std::optional<Request>> requests;
  for (const Service& service : kServices) requests.push_back(read_request(reader, service));
  if (const auto error = reader.finish()) return fail(*error);
  checker.result.items = {std::move(reads)};
  for (std::size_t i = 0; i < std::size(kServices); ++i)
    checker.result.items.push_back(judged(kServices[i], *requests[i]));
}

}  // namespace choose_split_check

lab::Exercise choose_split() { return {"choose-split", choose_split_check::check}; }

}  // namespace warpbook::exercises
