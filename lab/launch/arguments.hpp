// The arguments of a launch as a reader types them, for `warpbook launch --arg ARG` and the scratch page: their text, the
// kernel arguments they become, and the files they are filled from and written to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "lab/launch/texture_argument.hpp"

namespace warpbook::lab {

/// One ARG:
///   i32:5, f16:0.5, ...   a scalar of that type
///   5, 2.5                a scalar of the type that the kernel declares
///   null                  a null pointer
///   zeros:COUNT           a buffer of so many elements of the type that the kernel's pointer points to
///   ramp:COUNT            likewise, filled with 0, 1, 2 and so on
///   random:COUNT          likewise, filled with numbers from 0 to 1, or whole numbers from 0 to 99; the same in every run
///   bytes:FILE            a structure, passed by value
///   in:FILE               a buffer filled from the file
///   out:BYTES[=FILE]      a zeroed buffer, written to the file after the launch
///   inout:FILE[=FILE]     a buffer filled from the file, written to the second or back to the first
///   tex2d:.., surf2d:..   a texture or surface object (texture_argument.hpp)
struct LaunchArgument {
  enum class Kind : std::uint8_t { scalar, untyped, null, structure, buffer, filled, texture };
  enum class Filling : std::uint8_t { zeros, ramp, random };
  Kind kind = Kind::scalar;
  std::string text;                   ///< as written
  std::string value;                  ///< of a scalar
  device::ElementType type{};         ///< of a scalar
  std::string read_from, written_to;  ///< of a buffer or structure; empty: none
  std::uint64_t bytes = 0;            ///< of `out`
  Filling filling{};                  ///< of a filled buffer
  std::uint64_t count = 0;            ///< its elements
  bool in_place = false;              ///< inout without a second file
  TextureArgument texture;
};

/// Reads an ARG; bad_argument.
device::Expected<LaunchArgument> parse_argument(std::string_view text);

/// The bytes of a number written in `text`. bad_argument where it is no number of that type or out
/// of its range.
device::Expected<std::vector<std::byte>> parse_scalar(std::string_view text,
                                                      device::ElementType type);

/// Arguments on a device. The buffers live as long as this does.
class BoundArguments {
 public:
  /// Allocates and fills what `arguments` ask for; `kernel` tells the types of plain numbers and of
  /// the elements. The buffer of each is called as `names` says; where that has no name for it, "arg1", "arg2" and so on.
  /// Errors: argument_count, argument_type, bad_argument, file_unreadable, out_of_memory.
  static device::Expected<BoundArguments> bind(device::Device& device,
                                               const device::KernelInfo& kernel,
                                               const std::vector<LaunchArgument>& arguments,
                                               std::span<const std::string> names = {});

  [[nodiscard]] const std::vector<device::Argument>& values() const { return values_; }

  /// The buffer of an argument, from 0; null where it has none.
  [[nodiscard]] const device::Buffer* buffer_of(std::size_t argument) const;

  /// Writes what is to be written. `failed`: the kernel ended with an error; then no input file is
  /// overwritten.
  device::Expected<device::Done> write_files(device::Device& device, bool failed) const;

 private:
  struct BoundBuffer {
    std::size_t argument = 0;  ///< from 0
    device::Buffer buffer;
    std::string file;
    bool in_place = false;
  };
  std::vector<device::Argument> values_;
  std::vector<BoundBuffer> buffers_;
  std::vector<BoundTexture> textures_;
};

}  // namespace warpbook::lab
