#include "device/libraries/messages.hpp"

#include <cstring>

#include "device/worker/wire.hpp"

namespace warpbook::device::libraries {
namespace {

void put(WireWriter& w, const Shape& s) { w.put(s.n).put(s.c).put(s.h).put(s.w); }
void put(WireWriter& w, const Along& a) { w.put(a.h).put(a.w); }

Shape get_shape(WireReader& r) {
  Shape s;
  s.n = r.get<std::int64_t>();
  s.c = r.get<std::int64_t>();
  s.h = r.get<std::int64_t>();
  s.w = r.get<std::int64_t>();
  return s;
}
Along get_along(WireReader& r) {
  Along a;
  a.h = r.get<std::int64_t>();
  a.w = r.get<std::int64_t>();
  return a;
}

void put(WireWriter& w, const Problem& p) {
  w.put(p.operation).put(p.pass).put(p.layout).put(p.precision).put(p.activation).put(p.pooling);
  put(w, p.image);
  w.put(p.filters).put(p.groups);
  for (const Along& each : {p.window, p.stride, p.dilation, p.pad}) put(w, each);
  w.put(p.m).put(p.n).put(p.k);
}

Problem get_problem(WireReader& r) {
  Problem p;
  p.operation = r.get<Operation>();
  p.pass = r.get<Pass>();
  p.layout = r.get<Layout>();
  p.precision = r.get<Precision>();
  p.activation = r.get<Activation>();
  p.pooling = r.get<Pooling>();
  p.image = get_shape(r);
  p.filters = r.get<std::int64_t>();
  p.groups = r.get<std::int64_t>();
  for (Along* each : {&p.window, &p.stride, &p.dilation, &p.pad}) *each = get_along(r);
  p.m = r.get<std::int64_t>();
  p.n = r.get<std::int64_t>();
  p.k = r.get<std::int64_t>();
  return p;
}

void put(WireWriter& w, const std::vector<float>& numbers) {
  w.put(std::string_view(reinterpret_cast<const char*>(numbers.data()),
                         numbers.size() * sizeof(float)));
}

std::vector<float> get_numbers(WireReader& r) {
  const std::string bytes = r.get_text();
  std::vector<float> numbers(bytes.size() / sizeof(float));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
  return numbers;
}

}  // namespace

std::string to_bytes(const Request& request) {
  WireWriter w;
  w.put(request.kind).put(request.file);
  put(w, request.problem);
  w.put(request.target.description);
  w.put(std::uint64_t{request.algorithms.size()});
  for (const std::uint32_t algorithm : request.algorithms) w.put(algorithm);
  w.put(std::uint64_t{request.inputs.size()});
  for (const std::vector<float>& input : request.inputs) put(w, input);
  w.put(request.limits.warm_seconds).put(request.limits.noise).put(request.limits.most_seconds);
  return w.take();
}

std::optional<Request> request_from(std::string_view bytes) {
  WireReader r(bytes);
  Request request;
  request.kind = r.get<Kind>();
  request.file = r.get_text();
  request.problem = get_problem(r);
  request.target.description = r.get_text();
  request.algorithms.resize(r.get_count(sizeof(std::uint32_t)));
  for (std::uint32_t& algorithm : request.algorithms) algorithm = r.get<std::uint32_t>();
  request.inputs.resize(r.get_count(8));
  for (std::vector<float>& input : request.inputs) input = get_numbers(r);
  request.limits.warm_seconds = r.get<double>();
  request.limits.noise = r.get<double>();
  request.limits.most_seconds = r.get<double>();
  return if_whole(r, std::move(request));
}

std::string to_bytes(const Identity& identity) {
  WireWriter w;
  w.put(identity.version).put(identity.file).put(identity.cuda);
  return w.take();
}

std::optional<Identity> identity_from(std::string_view bytes) {
  WireReader r(bytes);
  Identity identity;
  identity.version = r.get_text();
  identity.file = r.get_text();
  identity.cuda = r.get_text();
  return if_whole(r, std::move(identity));
}

std::string to_bytes(const Offer& offer) {
  WireWriter w;
  w.put(offer.left_out).put(offer.refused).put(std::uint64_t{offer.algorithms.size()});
  for (const Algorithm& a : offer.algorithms) {
    w.put(a.name).put(a.settings).put(a.origin).put(a.workspace);
    w.put(std::uint64_t{a.notes.size()});
    for (const std::string& note : a.notes) w.put(note);
  }
  return w.take();
}

std::optional<Offer> offer_from(std::string_view bytes) {
  WireReader r(bytes);
  Offer offer;
  offer.left_out = r.get<std::uint32_t>();
  offer.refused = r.get<std::uint32_t>();
  offer.algorithms.resize(r.get_count(40));
  for (Algorithm& a : offer.algorithms) {
    a.name = r.get_text();
    a.settings = r.get_text();
    a.origin = r.get_text();
    a.workspace = r.get<std::uint64_t>();
    a.notes.resize(r.get_count(8));
    for (std::string& note : a.notes) note = r.get_text();
  }
  return if_whole(r, std::move(offer));
}

std::string to_bytes(const std::vector<float>& numbers) {
  WireWriter w;
  put(w, numbers);
  return w.take();
}

std::optional<std::vector<float>> numbers_from(std::string_view bytes) {
  WireReader r(bytes);
  auto numbers = get_numbers(r);
  return if_whole(r, std::move(numbers));
}

std::string to_bytes(const std::vector<Timing>& timings) {
  WireWriter w;
  w.put(std::uint64_t{timings.size()});
  for (const Timing& t : timings)
    w.put(t.median).put(t.p20).put(t.p80).put(t.minimum).put(t.samples).put(t.hot).put(t.on);
  return w.take();
}

std::optional<std::vector<Timing>> timings_from(std::string_view bytes) {
  WireReader r(bytes);
  std::vector<Timing> timings(r.get_count(45));
  for (Timing& t : timings) {
    t.median = r.get<double>();
    t.p20 = r.get<double>();
    t.p80 = r.get<double>();
    t.minimum = r.get<double>();
    t.samples = r.get<std::uint32_t>();
    t.hot = r.get<bool>();
    t.on = r.get_text();
  }
  return if_whole(r, std::move(timings));
}

std::string to_bytes(const Error& error) {
  WireWriter w;
  put(w, error);
  return w.take();
}

std::optional<Error> error_from(std::string_view bytes) {
  WireReader r(bytes);
  Error error;
  get(r, error);
  return if_whole(r, std::move(error));
}

std::string to_bytes(const DriverFacts& facts) {
  WireWriter w;
  w.put(facts.file).put(facts.cuda).put(std::uint64_t{facts.gpus.size()});
  for (const std::string& gpu : facts.gpus) w.put(gpu);
  put(w, facts.error);
  return w.take();
}

std::optional<DriverFacts> driver_facts_from(std::string_view bytes) {
  WireReader r(bytes);
  DriverFacts facts;
  facts.file = r.get_text();
  facts.cuda = r.get<int>();
  facts.gpus.resize(r.get_count(8));
  for (std::string& gpu : facts.gpus) gpu = r.get_text();
  get(r, facts.error);
  return if_whole(r, std::move(facts));
}

}  // namespace warpbook::device::libraries
