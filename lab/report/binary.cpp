#include "lab/model/binary.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "device/wire/bytes.hpp"
#include "lab/model/fields.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325;  // FNV-1a, 64 bits (Fowler, Noll, Vo)
constexpr std::uint64_t kFnvPrime = 0x100000001b3;

std::uint64_t checksum_of(std::string_view bytes) {
  return checksum(std::as_bytes(std::span(bytes)));
}

/// Something is chosen that is there; where there is nothing, the choice is 0.
bool chosen_of(std::uint64_t chosen, std::size_t there) {
  return chosen < std::max<std::size_t>(1, there);
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t hash = kFnvOffset;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * kFnvPrime;
    hash ^=
        hash >> 29;  // FNV carries upwards only; a word's high bytes must reach the low ones too
  };
  std::span<const std::byte> rest = bytes;
  for (; rest.size() >= sizeof(std::uint64_t); rest = rest.subspan(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, rest.data(), sizeof word);
    mix(word);
  }
  std::uint64_t word = 0;
  if (!rest.empty()) std::memcpy(&word, rest.data(), rest.size());
  mix(word);
  mix(bytes.size());
  return hash;
}

bool valid(const TensorExhibit& v) {
  const std::uint64_t elements = count(v);
  const std::size_t bytes = device::size_of(v.type);
  return v.data.size() % bytes == 0 && v.data.size() / bytes == elements &&
         std::ranges::all_of(v.wrong, [=](std::uint64_t index) { return index < elements; });
}

bool valid(const AccessesExhibit& v) {
  return std::ranges::all_of(v.wires, [&](const AccessesExhibit::Wire& wire) {
    return wire.array < v.arrays.size() && wire.thread < v.block.count();
  });
}

bool valid(const ImageExhibit& v) {
  return v.writes.size() == count(v.pixels) && v.writer.size() == v.writes.size();
}

bool valid(const SectorsExhibit& v) {
  const auto lane_valid = [&](const SectorsExhibit::Lane& lane) {
    return lane.lane < device::kLanes && lane.array < v.arrays.size();
  };
  const auto place_valid = [&](const SectorsExhibit::Place& place) {
    return place.array < v.arrays.size();
  };
  const auto request_valid = [&](const SectorsExhibit::Request& request) {
    return request.place < v.places.size() && std::ranges::all_of(request.lanes, lane_valid);
  };
  return std::ranges::all_of(v.places, place_valid) &&
         std::ranges::all_of(v.requests, request_valid) && chosen_of(v.chosen, v.requests.size());
}

bool valid(const CurveExhibit& v) {
  const std::uint64_t points = count(v.x);
  return points <= kMostCurvePoints && v.element.size() == points && v.chosen <= points &&
         std::ranges::all_of(v.series, [&](const CurveExhibit::Series& series) {
           return count(series.values) == points && series.slope.value_or(0) < v.series.size();
         });
}

bool valid(const SlidingWindowExhibit& v) {
  const auto element = [](const SlidingWindowExhibit::Output& output) { return output.element; };
  std::uint64_t outputs = 0;
  if (__builtin_mul_overflow(v.out_rows, v.out_columns, &outputs) ||
      __builtin_mul_overflow(outputs, v.filters, &outputs))
    return false;
  const bool in_order = std::ranges::adjacent_find(v.outputs, std::ranges::greater_equal{},
                                                   element) == v.outputs.end();
  return in_order && (v.outputs.empty() || v.outputs.back().element < outputs) &&
         chosen_of(v.chosen, v.outputs.size());
}

bool valid(const RooflineExhibit& v) {
  return chosen_of(v.chosen, v.points.size()) &&
         std::ranges::all_of(v.points, [&](const RooflineExhibit::Point& point) {
           return chosen_of(point.ceiling, v.ceilings.size());
         });
}

bool valid(const ComparisonExhibit::Source& v) {
  return std::max(v.costs_a.size(), v.costs_b.size()) <= v.lines.size();
}

std::uint64_t hash_of(const Inputs& inputs) { return checksum_of(device::to_bytes(inputs)); }

std::string to_binary(const Report& report) {
  const std::string payload = device::to_bytes(report);
  return device::to_bytes(checksum_of(payload)) + payload;
}

tl::expected<Report, std::string_view> report_from_binary(std::string_view bytes) {
  if (bytes.size() < kChecksumBytes) return tl::unexpected<std::string_view>("it ends too early");
  const std::string_view payload = bytes.substr(kChecksumBytes);
  if (device::from_bytes<std::uint64_t>(bytes.substr(0, kChecksumBytes)) != checksum_of(payload))
    return tl::unexpected<std::string_view>("its checksum is wrong");
  return device::from_bytes<Report>(payload);
}

}  // namespace warpbook::lab
