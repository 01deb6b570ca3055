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

/// For such lists.
auto putting_to(WireWriter& w) {
  return [&w](const auto& number) { w.put(number); };
}
auto getting_from(WireReader& r) {
  return [&r](auto& number) { number = r.get<std::remove_reference_t<decltype(number)>>(); };
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
  for_each_number(opened.properties, getting_from(r));
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

void put(WireWriter& w, const ChannelFormat& f) { w.put(f.type).put(f.channels); }
void get(WireReader& r, ChannelFormat& f) {
  f.type = r.get<ElementType>();
  f.channels = r.get<std::uint32_t>();
}

/// Every number of a description, in order: the one list that both ways follow.
template <class Self, class Visit>
void for_each_number_of_array(Self& d, Visit&& visit) {
  visit(d.width);
  visit(d.height);
  visit(d.depth);
  visit(d.layered);
  visit(d.cubemap);
  visit(d.surface);
  visit(d.levels);
}

template <class Self, class Visit>
void for_each_number_of_copy(Self& c, Visit&& visit) {
  visit(c.array);
  visit(c.memory);
  for (auto* number :
       {&c.box.level, &c.box.x, &c.box.y, &c.box.z, &c.box.width, &c.box.height, &c.box.depth})
    visit(*number);
}

template <class Self, class Visit>
void for_each_number_of_texture(Self& t, Visit&& visit) {
  visit(t.array.handle);
  visit(t.address);
  visit(t.bytes);
  visit(t.width);
  visit(t.height);
  visit(t.pitch_bytes);
  for (auto& mode : t.address_mode) visit(mode);
  visit(t.linear_filter);
  visit(t.normalised_read);
  visit(t.normalised_coordinates);
  visit(t.srgb);
  for (auto& channel : t.border) visit(channel);
  visit(t.linear_mip_filter);
  visit(t.mip_bias);
  visit(t.mip_least);
  visit(t.mip_most);
}

void get(WireReader& r, ArrayRequest& request) {
  request.array = r.get<std::uint64_t>();
  request.bytes = r.get<std::uint64_t>();
  request.description.name = r.get_text();
  get(r, request.description.format);
  for_each_number_of_array(request.description, getting_from(r));
}

void get(WireReader& r, ArrayCopy& copy) { for_each_number_of_copy(copy, getting_from(r)); }

void get(WireReader& r, TextureRequest& request) {
  request.name = r.get_text();
  get(r, request.description.format);
  for_each_number_of_texture(request.description, getting_from(r));
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
  for_each_number(opened.properties, putting_to(w));
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

std::string to_bytes(const ArrayRequest& request) {
  WireWriter w;
  w.put(request.array).put(request.bytes).put(request.description.name);
  put(w, request.description.format);
  for_each_number_of_array(request.description, putting_to(w));
  return w.take();
}

std::string to_bytes(const ArrayCopy& copy) {
  WireWriter w;
  for_each_number_of_copy(copy, putting_to(w));
  return w.take();
}

std::string to_bytes(const TextureRequest& request) {
  WireWriter w;
  w.put(request.name);
  put(w, request.description.format);
  for_each_number_of_texture(request.description, putting_to(w));
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

template <>
std::optional<std::vector<libraries::Timing>> from_bytes(std::string_view bytes) {
  return libraries::timings_from(bytes);
}

template std::optional<Numbers> from_bytes(std::string_view);
template std::optional<Opened> from_bytes(std::string_view);
template std::optional<LoadRequest> from_bytes(std::string_view);
template std::optional<std::vector<FunctionFacts>> from_bytes(std::string_view);
template std::optional<SymbolRequest> from_bytes(std::string_view);
template std::optional<LaunchRequest> from_bytes(std::string_view);
template std::optional<LaunchReply> from_bytes(std::string_view);
template std::optional<OccupancyRequest> from_bytes(std::string_view);
template std::optional<ArrayRequest> from_bytes(std::string_view);
template std::optional<ArrayCopy> from_bytes(std::string_view);
template std::optional<TextureRequest> from_bytes(std::string_view);
template std::optional<TimeRequest> from_bytes(std::string_view);
template std::optional<Failure> from_bytes(std::string_view);

}  // namespace warpbook::device::gpu
