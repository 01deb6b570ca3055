#include "device/gpu/messages.hpp"

#include "device/worker/wire.hpp"

namespace warpbook::device::gpu {

// Where a Failure is optional, wire.hpp finds these by the type's namespace, which an unnamed one is no part of.
static void put(WireWriter& w, const Failure& f) {
  put(w, f.error);
  w.put(f.harm);
}

static void get(WireReader& r, Failure& f) {
  get(r, f.error);
  f.harm = r.get<Harm>();
}

namespace {

void put(WireWriter& w, const Dim3& d) { w.put(d.x).put(d.y).put(d.z); }

/// Every number of the properties, in order: the one list that both ways follow.
template <class Self, class Visit>
void for_each_number(Self& p, Visit&& visit) {
  visit(p.compute_capability);
  visit(p.multiprocessors);
  visit(p.max_threads_per_block);
  for (auto* d : {&p.max_block, &p.max_grid}) {
    visit(d->x);
    visit(d->y);
    visit(d->z);
  }
  visit(p.max_threads_per_multiprocessor);
  visit(p.max_blocks_per_multiprocessor);
  visit(p.registers_per_multiprocessor);
  visit(p.max_registers_per_thread);
  visit(p.shared_per_multiprocessor);
  visit(p.shared_per_block);
  visit(p.shared_per_block_optin);
  visit(p.reserved_shared_per_block);
  visit(p.constant_bytes);
  visit(p.max_cluster_blocks);
  visit(p.global_bytes);
  visit(p.l2_bytes);
  visit(p.clock_khz);
  visit(p.memory_clock_khz);
  visit(p.memory_bus_bits);
  visit(p.simulated);
}

void put(WireWriter& w, const LaunchRequest& r) {
  w.put(r.module).put(r.function).put(r.kernel);
  put(w, r.grid);
  put(w, r.block);
  put(w, r.cluster);
  w.put(r.dynamic_shared).put(r.cooperative).put(r.parameters).put(r.output_bytes);
}

void get(WireReader& r, Dim3& d) {
  d.x = r.get<std::uint32_t>();
  d.y = r.get<std::uint32_t>();
  d.z = r.get<std::uint32_t>();
}

void get(WireReader& r, Numbers& numbers) {
  numbers.resize(r.get_count(8));
  for (std::uint64_t& number : numbers) number = r.get<std::uint64_t>();
}

void get(WireReader& r, Opened& opened) {
  opened.properties.name = r.get_text();
  for_each_number(opened.properties, [&](auto& number) {
    number = r.get<std::remove_reference_t<decltype(number)>>();
  });
  opened.driver = r.get_text();
  opened.file = r.get_text();
}

void get(WireReader& r, LoadRequest& request) {
  request.module = r.get<std::uint64_t>();
  request.name = r.get_text();
  request.ptx = r.get_text();
  request.functions.resize(r.get_count(8));
  for (std::string& function : request.functions) function = r.get_text();
}

void get(WireReader& r, std::vector<FunctionFacts>& facts) {
  facts.resize(r.get_count(16));
  for (FunctionFacts& f : facts) {
    f.registers = r.get<std::uint32_t>();
    f.static_shared = r.get<std::uint32_t>();
    f.local_bytes = r.get<std::uint32_t>();
    f.max_threads = r.get<std::uint32_t>();
  }
}

void get(WireReader& r, SymbolRequest& request) {
  request.module = r.get<std::uint64_t>();
  request.name = r.get_text();
}

void get(WireReader& r, LaunchRequest& request) {
  request.module = r.get<std::uint64_t>();
  request.function = r.get_text();
  request.kernel = r.get_text();
  get(r, request.grid);
  get(r, request.block);
  get(r, request.cluster);
  request.dynamic_shared = r.get<std::uint32_t>();
  request.cooperative = r.get<bool>();
  request.parameters = r.get_text();
  request.output_bytes = r.get<std::uint64_t>();
}

void get(WireReader& r, LaunchReply& reply) {
  reply.seconds = r.get<double>();
  reply.output = r.get_text();
  get(r, reply.failure);
}

void get(WireReader& r, OccupancyRequest& request) {
  request.module = r.get<std::uint64_t>();
  request.function = r.get_text();
  request.block_threads = r.get<std::uint32_t>();
  request.dynamic_shared = r.get<std::uint32_t>();
}

void get(WireReader& r, TimeRequest& request) {
  request.variants.resize(r.get_count(8));
  for (auto& sets : request.variants) {
    sets.resize(r.get_count(8));
    for (auto& run : sets) {
      run.resize(r.get_count(8));
      for (LaunchRequest& launch : run) get(r, launch);
    }
  }
  request.limits.warm_seconds = r.get<double>();
  request.limits.noise = r.get<double>();
  request.limits.most_seconds = r.get<double>();
  request.hot = r.get<bool>();
}

void get(WireReader& r, std::vector<libraries::Timing>& timings) {
  timings.resize(r.get_count(45));
  for (libraries::Timing& t : timings) {
    t.median = r.get<double>();
    t.p20 = r.get<double>();
    t.p80 = r.get<double>();
    t.minimum = r.get<double>();
    t.samples = r.get<std::uint32_t>();
    t.hot = r.get<bool>();
    t.on = r.get_text();
  }
}

}  // namespace

std::string to_bytes(const Numbers& numbers) {
  WireWriter w;
  w.put(std::uint64_t{numbers.size()});
  for (const std::uint64_t number : numbers) w.put(number);
  return w.take();
}

std::string to_bytes(const Opened& opened) {
  WireWriter w;
  w.put(opened.properties.name);
  for_each_number(opened.properties, [&](const auto& number) { w.put(number); });
  w.put(opened.driver).put(opened.file);
  return w.take();
}

std::string to_bytes(const LoadRequest& request) {
  WireWriter w;
  w.put(request.module).put(request.name).put(request.ptx);
  w.put(std::uint64_t{request.functions.size()});
  for (const std::string& function : request.functions) w.put(function);
  return w.take();
}

std::string to_bytes(const std::vector<FunctionFacts>& facts) {
  WireWriter w;
  w.put(std::uint64_t{facts.size()});
  for (const FunctionFacts& f : facts)
    w.put(f.registers).put(f.static_shared).put(f.local_bytes).put(f.max_threads);
  return w.take();
}

std::string to_bytes(const SymbolRequest& request) {
  WireWriter w;
  w.put(request.module).put(request.name);
  return w.take();
}

std::string to_bytes(const LaunchRequest& request) {
  WireWriter w;
  put(w, request);
  return w.take();
}

std::string to_bytes(const LaunchReply& reply) {
  WireWriter w;
  w.put(reply.seconds).put(reply.output);
  put(w, reply.failure);
  return w.take();
}

std::string to_bytes(const OccupancyRequest& request) {
  WireWriter w;
  w.put(request.module)
      .put(request.function)
      .put(request.block_threads)
      .put(request.dynamic_shared);
  return w.take();
}

std::string to_bytes(const TimeRequest& request) {
  WireWriter w;
  w.put(std::uint64_t{request.variants.size()});
  for (const auto& sets : request.variants) {
    w.put(std::uint64_t{sets.size()});
    for (const auto& run : sets) {
      w.put(std::uint64_t{run.size()});
      for (const LaunchRequest& launch : run) put(w, launch);
    }
  }
  w.put(request.limits.warm_seconds).put(request.limits.noise).put(request.limits.most_seconds);
  w.put(request.hot);
  return w.take();
}

std::string to_bytes(const Failure& failure) {
  WireWriter w;
  put(w, failure);
  return w.take();
}

template <class T>
std::optional<T> from_bytes(std::string_view bytes) {
  WireReader r(bytes);
  T value;
  get(r, value);
  if (!r.done()) return std::nullopt;
  return value;
}

template std::optional<Numbers> from_bytes(std::string_view);
template std::optional<Opened> from_bytes(std::string_view);
template std::optional<LoadRequest> from_bytes(std::string_view);
template std::optional<std::vector<FunctionFacts>> from_bytes(std::string_view);
template std::optional<SymbolRequest> from_bytes(std::string_view);
template std::optional<LaunchRequest> from_bytes(std::string_view);
template std::optional<LaunchReply> from_bytes(std::string_view);
template std::optional<OccupancyRequest> from_bytes(std::string_view);
template std::optional<TimeRequest> from_bytes(std::string_view);
template std::optional<Failure> from_bytes(std::string_view);

}  // namespace warpbook::device::gpu
template <>
std::optional<std::vector<libraries::Timing>> from_bytes(std::string_view bytes) {
  return libraries::timings_from(bytes);
}

