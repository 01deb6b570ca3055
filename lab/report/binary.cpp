#include "lab/report/binary.hpp"

#include <cstring>

#include "device/wire/bytes.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325;  // FNV-1a, 64 bits (Fowler, Noll, Vo)
constexpr std::uint64_t kFnvPrime = 0x100000001b3;

std::uint64_t checksum_of(std::string_view bytes) {
  return checksum(std::as_bytes(std::span(bytes)));
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
