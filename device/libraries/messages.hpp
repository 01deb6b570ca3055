// The messages between the owner of a library and the worker in which it runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/libraries/library.hpp"
#include "device/libraries/primary_gpu.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device::libraries {

/// Kinds of message: requests, in any order after open, and to each one answer: its value, or failed.
enum class MessageKind : std::uint32_t {
  open = 100,  ///< kind, file -> Identity
  offer,       ///< Problem, Target -> Offer
  run,         ///< Problem, algorithm, inputs -> numbers
  time,        ///< Problem, algorithms, TimeLimits -> timings
  describe,    ///< nothing -> text
  driver,      ///< nothing -> DriverFacts
  opengl,      ///< nothing -> text: the renderer and its version of OpenGL
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
template <class V>
void fields(V&& visit, Is<Request> auto& v) {
  visit("kind", v.kind);
  visit("file", v.file);
  visit("problem", v.problem);
  visit("target", v.target);
  visit("algorithms", v.algorithms);
  visit("inputs", v.inputs);
  visit("limits", v.limits);
}

}  // namespace warpbook::device::libraries
