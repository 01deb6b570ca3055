// Refuses the launches that CUDA would refuse: arguments that do not fit the signature, and a geometry that the GPU or the
// kernel does not allow. Each error says what was asked for, what is allowed and what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace warpbook::device {

/// The kinds of argument that a parameter takes.
enum class ParameterClass : std::uint8_t {
  pointer,             ///< a device address
  integer,             ///< of its size, signed or not
  pointer_or_integer,  ///< 64 bits in a PTX that does not say which
  floating,            ///< one floating-point type
  bits,                ///< any scalar of its size
  structure            ///< bytes
};
ParameterClass class_of(const ParameterInfo& parameter);

/// The scalar type that a number without a type becomes for this parameter: "5" for an int is an
/// i32. u64 for pointers; u8 for structures, which take no scalar.
ElementType natural_type(const ParameterInfo& parameter);

/// "float*, int": the kernel's parameters, as its source or else its PTX tells them.
std::string signature_of(const KernelInfo& kernel);

/// argument_count, argument_type.
Expected<Done> check_arguments(const KernelInfo& kernel, std::span<const Argument> arguments);

/// The argument_type error of the argument at `index` (from 0), where `got` says what was given
/// instead.
Error wrong_argument(const KernelInfo& kernel, std::size_t index, std::string got);

/// The parameter buffer: each argument at its parameter's alignment. The arguments must have been
/// checked.
std::vector<std::byte> pack_arguments(const KernelInfo& kernel,
                                      std::span<const Argument> arguments);

/// The decisions about a launch that may start.
struct Admission {
  Dim3 cluster;                       ///< as asked for or as the kernel was compiled
  std::uint64_t resident_blocks = 0;  ///< of this kernel on the whole GPU at once
};

/// The grid, block, cluster and shared memory of `launch` against `gpu` and `kernel`.
/// invalid_configuration, invalid_value, launch_out_of_resources, cooperative_too_large,
/// invalid_cluster or not_supported.
Expected<Admission> check_geometry(const Properties& gpu, const KernelInfo& kernel,
                                   const Launch& launch);

}  // namespace warpbook::device
