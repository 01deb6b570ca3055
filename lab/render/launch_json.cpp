#include "lab/render/launch_json.hpp"

#include "lab/exhibits/source/source.hpp"
#include "lab/markup/json.hpp"

namespace warpbook::lab {
namespace {

struct TraceSize {
  std::uint64_t accesses = 0;
  bool cut = false;
};
template <class V>
void fields(V&& visit, Is<TraceSize> auto& v) {
  visit("accesses", v.accesses);
  visit("cut", v.cut);
}

struct OccupancyShare {
  std::uint32_t blocks = 0;
  double fraction = 0;
  std::string limiter;
};
template <class V>
void fields(V&& visit, Is<OccupancyShare> auto& v) {
  visit("blocks", v.blocks);
  visit("fraction", v.fraction);
  visit("limiter", v.limiter);
}

}  // namespace

void extras(JsonExtras& into, const device::Estimate& estimate) {
  into("occupancy", [&] {
    return OccupancyShare{estimate.resident_blocks, estimate.occupancy, estimate.occupancy_limiter};
  });
  into.leave_out("resident_blocks");
  into.leave_out("occupancy_limiter");
}

void extras(JsonExtras& into, const device::LaunchRecord& record) {
  into("thread_instructions", [&] { return record.total.thread_instructions; });
  into("warp_instructions", [&] { return record.total.warp_instructions; });
  into("trace", [&] { return TraceSize{record.trace.size(), record.trace_cut}; });
  into.leave_out("trace_cut");
  into.leave_out("written");
  into.leave_out("allocations");
}

nlohmann::json to_json(const device::LaunchRecord& record) {
  nlohmann::json document = JsonWriter()(record);
  document["form"] = "warpbook-launch";
  document["version"] = kLaunchVersion;
  if (!record.estimate) document.erase("estimate");
  return document;
}

nlohmann::json to_json(const device::Sass& sass) { return JsonWriter()(sass); }

}  // namespace warpbook::lab
