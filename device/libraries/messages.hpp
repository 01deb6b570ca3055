// What the owner of a library and the worker that it runs in say to each other.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/libraries/library.hpp"
#include "device/libraries/primary_gpu.hpp"

namespace warpbook::device::libraries {

/// Kinds of frame: requests, in any order after open, and to each one answer: its value, or failed.
enum class Frame : std::uint32_t {
  open = 100,  ///< kind, file -> Identity
  offer,       ///< Problem, Target -> Offer
  run,         ///< Problem, algorithm, inputs -> numbers
  time,        ///< Problem, algorithms, TimeLimits -> timings
  describe,    ///< nothing -> text
  driver,      ///< nothing -> DriverFacts
  opengl,      ///< nothing -> text: what draws, and which OpenGL
  answer,
  failed  ///< Error
};

/// All that any request holds; each uses its part.
struct Request {
  Kind kind = Kind::cudnn;
  std::string file;
  Problem problem;
  Target target;
  std::vector<std::uint32_t> algorithms;
  std::vector<std::vector<float>> inputs;
  TimeLimits limits;
};

std::string to_bytes(const Request& request);
std::string to_bytes(const Identity& identity);
std::string to_bytes(const Offer& offer);
std::string to_bytes(const std::vector<float>& numbers);
std::string to_bytes(const std::vector<Timing>& timings);
std::string to_bytes(const DriverFacts& facts);
std::string to_bytes(const Error& error);

std::optional<Request> request_from(std::string_view bytes);
std::optional<Identity> identity_from(std::string_view bytes);
std::optional<Offer> offer_from(std::string_view bytes);
std::optional<std::vector<float>> numbers_from(std::string_view bytes);
std::optional<std::vector<Timing>> timings_from(std::string_view bytes);
std::optional<DriverFacts> driver_facts_from(std::string_view bytes);
std::optional<Error> error_from(std::string_view bytes);

}  // namespace warpbook::device::libraries
