// Numbers by a counter: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011).
#include <array>
#include <cmath>
#include <numbers>

#include "lab/operation/reference/random.hpp"
#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

/// The top 24 bits, as a fraction below 1.
double fraction(std::uint32_t word) { return (word >> 8) * 0x1p-24; }

/// Word i of the counters 0, 1, 2, ..., four words each.
std::uint32_t word_at(const Given& given, std::int64_t i) {
  const auto counter = static_cast<std::uint32_t>(i / 4);
  const auto key = [&](const char* name) { return static_cast<std::uint32_t>(given.size(name)); };
  return philox({counter, 0, 0, 0}, {key("seed"), key("stream")})[static_cast<std::size_t>(i % 4)];
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> words,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = 0xd2511f53ull * words[0], second = 0xcd9e8d57ull * words[2];
    words = {static_cast<std::uint32_t>(second >> 32) ^ words[1] ^ key[0],
             static_cast<std::uint32_t>(second),
             static_cast<std::uint32_t>(first >> 32) ^ words[3] ^ key[1],
             static_cast<std::uint32_t>(first)};
    key[0] += 0x9e3779b9u;
    key[1] += 0xbb67ae85u;
  }
  return words;
}

/// out: [n]
Truths random_uniform(const Given& given) {
  const double low = given.real("low"), high = given.real("high");
  Truth out;
  for (std::int64_t i = 0; i < given.size("n"); ++i)
    out.values.push_back(low + (high - low) * fraction(word_at(given, i)));
  return {{"out", out}};
}

/// out: [n]. Words 0 and 1 of a counter make two numbers, words 2 and 3 two more (Box and Muller, 1958).
Truths random_normal(const Given& given) {
  Truth out;
  for (std::int64_t i = 0; i < given.size("n"); ++i) {
    const std::int64_t first = i / 2 * 2;
    const double radius = std::sqrt(-2 * std::log(fraction(word_at(given, first)) + 0x1p-24));
    const double angle = 2 * std::numbers::pi * fraction(word_at(given, first + 1));
    const double normal = radius * (i == first ? std::cos(angle) : std::sin(angle));
    out.values.push_back(given.real("mean") + given.real("deviation") * normal);
  }
  return {{"out", out}};
}

}  // namespace warpbook::lab::reference
