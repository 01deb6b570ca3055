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

}  // namespace

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
  return document;
}

nlohmann::json to_json(const device::Sass& sass) { return JsonWriter()(sass); }

}  // namespace warpbook::lab
