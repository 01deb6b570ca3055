#include "device/launch_check.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "device/occupancy.hpp"

namespace warpbook::device {
namespace {

bool is_floating(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 ||
         type == ElementType::f64;
}

/// The floating type of a parameter of class floating.
ElementType floating_type(const ParameterInfo& p) {
  if (p.declared == "__nv_bfloat16" || p.type == "bf16") return ElementType::bf16;
  if (p.declared == "__half" || p.type == "f16") return ElementType::f16;
  return p.type == "f64" ? ElementType::f64 : ElementType::f32;
}

bool declares_pointer(std::string_view declared) {
  return declared.ends_with('*') || declared.ends_with('&') ||
         declared.find("(*") != std::string_view::npos;
}

std::string describe(const ParameterInfo& p) {
  std::string kind;
  switch (class_of(p)) {
    case ParameterClass::pointer: kind = "a pointer"; break;
    case ParameterClass::integer: kind = fmt::format("an integer of {} bits", p.bytes * 8); break;
    case ParameterClass::pointer_or_integer: kind = "a pointer or an integer of 64 bits"; break;
    case ParameterClass::floating:
      kind = fmt::format("the floating-point type {}", name_of(floating_type(p)));
      break;
    case ParameterClass::bits: kind = fmt::format("a scalar of {} bits", p.bytes * 8); break;
    case ParameterClass::structure: kind = fmt::format("a structure of {} bytes", p.bytes); break;
  }
  return p.declared.empty() ? kind : p.declared + " (" + kind + ")";
}

std::string remedy_of(const ParameterInfo& p) {
  switch (class_of(p)) {
    case ParameterClass::pointer: return "a buffer or null";
    case ParameterClass::integer: return fmt::format("i{0} or u{0}", p.bytes * 8);
    case ParameterClass::pointer_or_integer: return "a buffer, null, i64 or u64";
    case ParameterClass::floating: return std::string(name_of(floating_type(p)));
    case ParameterClass::bits: return fmt::format("a scalar of {} bits", p.bytes * 8);
    case ParameterClass::structure: return fmt::format("exactly {} bytes", p.bytes);
  }
  return {};
}

std::string describe(const Argument& a) {
  switch (a.kind) {
    case Argument::Kind::scalar: return std::string(name_of(a.type));
    case Argument::Kind::pointer: return "a pointer";
    case Argument::Kind::structure: return fmt::format("{} bytes", a.bytes.size());
  }
  return {};
}

bool fits(const ParameterInfo& p, const Argument& a) {
  if (a.bytes.size() != p.bytes) return false;
  if (a.kind == Argument::Kind::structure)
    return true;  // raw bytes of the right number may be anything
  const ParameterClass wanted = class_of(p);
  if (a.kind == Argument::Kind::pointer) {
    return wanted == ParameterClass::pointer || wanted == ParameterClass::pointer_or_integer ||
           wanted == ParameterClass::bits;
  }
  switch (wanted) {
    case ParameterClass::pointer: return a.type == ElementType::u64;  // an address as a number
    case ParameterClass::integer:
    case ParameterClass::pointer_or_integer: return !is_floating(a.type);
    case ParameterClass::floating: return a.type == floating_type(p);
    case ParameterClass::bits: return true;
    case ParameterClass::structure: return false;
  }
  return false;
}

std::string text_of(const Dim3& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); }

bool has_zero(const Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

bool within(const Dim3& d, const Dim3& limit) {
  return d.x <= limit.x && d.y <= limit.y && d.z <= limit.z;
}

/// `why` is a key below phrase.why.
tl::unexpected<Error> refuse(ErrorCode code, const std::string& why, MessageArguments arguments) {
  return failure(code, {{"why", Message{"phrase.why." + why, std::move(arguments), {}}}});
}

Expected<Done> check_extents(const Properties& gpu, const Launch& launch) {
  if (has_zero(launch.grid)) {
    return refuse(ErrorCode::invalid_configuration, "empty-grid", {{"grid", text_of(launch.grid)}});
  }
  if (has_zero(launch.block)) {
    return refuse(ErrorCode::invalid_configuration, "empty-block",
                  {{"block", text_of(launch.block)}});
  }
  if (!within(launch.block, gpu.max_block)) {
    return refuse(
        ErrorCode::invalid_configuration, "block-extent",
        {{"block", text_of(launch.block)}, {"gpu", gpu.name}, {"most", text_of(gpu.max_block)}});
  }
  if (launch.block.count() > gpu.max_threads_per_block) {
    return refuse(ErrorCode::invalid_configuration, "block-count",
                  {{"block", text_of(launch.block)},
                   {"count", launch.block.count()},
                   {"gpu", gpu.name},
                   {"most", gpu.max_threads_per_block}});
  }
  if (!within(launch.grid, gpu.max_grid)) {
    return refuse(
        ErrorCode::invalid_configuration, "grid-extent",
        {{"grid", text_of(launch.grid)}, {"gpu", gpu.name}, {"most", text_of(gpu.max_grid)}});
  }
  return Done{};
}

Expected<Done> check_bounds_of_kernel(const KernelInfo& kernel, const Launch& launch) {
  if (kernel.required_block && *kernel.required_block != launch.block) {
    return refuse(ErrorCode::invalid_value, "required-block",
                  {{"block", text_of(launch.block)},
                   {"kernel", kernel.name},
                   {"required", text_of(*kernel.required_block)}});
  }
  if (kernel.max_threads != 0 && launch.block.count() > kernel.max_threads) {
    return refuse(
        ErrorCode::launch_out_of_resources, "bounds",
        {{"count", launch.block.count()}, {"kernel", kernel.name}, {"most", kernel.max_threads}});
  }
  return Done{};
}

Expected<Done> check_resources(const Properties& gpu, const KernelInfo& kernel,
                               const Launch& launch) {
  const std::uint64_t shared = std::uint64_t{kernel.static_shared} + launch.dynamic_shared;
  if (shared > gpu.shared_per_block_optin) {
    return refuse(ErrorCode::invalid_value, "shared",
                  {{"bytes", shared},
                   {"fixed", kernel.static_shared},
                   {"dynamic", launch.dynamic_shared},
                   {"gpu", gpu.name},
                   {"most", gpu.shared_per_block_optin}});
  }
  if (kernel.registers) {
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const std::uint64_t registers = registers_of_block(threads, *kernel.registers);
    if (registers > gpu.registers_per_multiprocessor) {
      return refuse(ErrorCode::launch_out_of_resources, "registers",
                    {{"count", threads},
                     {"each", *kernel.registers},
                     {"registers", registers},
                     {"gpu", gpu.name},
                     {"most", gpu.registers_per_multiprocessor}});
    }
  }
  return Done{};
}

Expected<Dim3> check_cluster(const Properties& gpu, const KernelInfo& kernel,
                             const Launch& launch) {
  Dim3 cluster = launch.cluster;
  if (has_zero(cluster)) {
    return refuse(ErrorCode::invalid_cluster, "empty-cluster", {{"cluster", text_of(cluster)}});
  }
  if (kernel.required_cluster) {
    if (cluster != Dim3{} && cluster != *kernel.required_cluster) {
      return refuse(ErrorCode::invalid_cluster, "required-cluster",
                    {{"cluster", text_of(cluster)},
                     {"kernel", kernel.name},
                     {"required", text_of(*kernel.required_cluster)}});
    }
    cluster = *kernel.required_cluster;
  }
  if (cluster == Dim3{}) return cluster;
  if (gpu.max_cluster_blocks == 0) {
    return failure(ErrorCode::not_supported,
                   {{"what", Message{"phrase.what.cluster", {{"blocks", text_of(cluster)}}, {}}},
                    {"device", gpu.name}});
  }
  if (const std::uint32_t most = gpu.max_cluster_blocks;
      !within(cluster, {most, most, most}) || cluster.count() > most) {
    return refuse(ErrorCode::invalid_cluster, "cluster-count",
                  {{"cluster", text_of(cluster)},
                   {"count", cluster.count()},
                   {"gpu", gpu.name},
                   {"most", gpu.max_cluster_blocks}});
  }
  const Dim3& grid = launch.grid;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return refuse(ErrorCode::invalid_cluster, "whole-clusters",
                  {{"grid", text_of(grid)}, {"cluster", text_of(cluster)}});
  }
  return cluster;
}

}  // namespace

ParameterClass class_of(const ParameterInfo& p) {
  if (p.declared == "__half" || p.declared == "__nv_bfloat16") return ParameterClass::floating;
  if (p.type == "b8") {
    // NVRTC passes __half as two bytes; where no name says more, two bytes may be one.
    return p.bytes == 2 && p.declared.empty() ? ParameterClass::bits : ParameterClass::structure;
  }
  if (p.type.starts_with('f') || p.type == "bf16") return ParameterClass::floating;
  if (p.type.starts_with('b')) return ParameterClass::bits;
  if (p.bytes != sizeof(Pointer)) return ParameterClass::integer;
  if (p.declared.empty()) return ParameterClass::pointer_or_integer;
  return declares_pointer(p.declared) ? ParameterClass::pointer : ParameterClass::integer;
}

ElementType natural_type(const ParameterInfo& p) {
  switch (class_of(p)) {
    case ParameterClass::floating: return floating_type(p);
    case ParameterClass::pointer: return ElementType::u64;
    case ParameterClass::structure: return ElementType::u8;
    case ParameterClass::integer:
    case ParameterClass::pointer_or_integer:
    case ParameterClass::bits: break;
  }
  const bool is_unsigned = p.declared.starts_with("unsigned") || p.declared == "bool";
  switch (p.bytes) {
    case 1: return is_unsigned ? ElementType::u8 : ElementType::i8;
    case 2: return is_unsigned ? ElementType::u16 : ElementType::i16;
    case 4: return is_unsigned ? ElementType::u32 : ElementType::i32;
    default: return is_unsigned ? ElementType::u64 : ElementType::i64;
  }
}

std::string signature_of(const KernelInfo& kernel) {
  std::string text;
  for (const ParameterInfo& p : kernel.parameters) {
    if (!text.empty()) text += ", ";
    text += p.declared.empty() ? describe(p) : p.declared;
  }
  return text.empty() ? "nothing" : text;
}

Expected<Done> check_arguments(const KernelInfo& kernel, std::span<const Argument> arguments) {
  if (arguments.size() != kernel.parameters.size()) {
    return failure(ErrorCode::argument_count, {{"kernel", kernel.name},
                                               {"count", std::to_string(kernel.parameters.size())},
                                               {"got", std::to_string(arguments.size())},
                                               {"signature", signature_of(kernel)}});
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (fits(kernel.parameters[i], arguments[i])) continue;
    return tl::unexpected(wrong_argument(kernel, i, describe(arguments[i])));
  }
  return Done{};
}

Error wrong_argument(const KernelInfo& kernel, std::size_t index, std::string got) {
  const ParameterInfo& p = kernel.parameters.at(index);
  return {ErrorCode::argument_type,
          {{"index", std::to_string(index + 1)},
           {"kernel", kernel.name},
           {"expected", describe(p)},
           {"got", std::move(got)},
           {"remedy", remedy_of(p)}},
          {}};
}

std::vector<std::byte> pack_arguments(const KernelInfo& kernel,
                                      std::span<const Argument> arguments) {
  std::vector<std::byte> packed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ParameterInfo& p = kernel.parameters[i];
    const std::size_t alignment = p.alignment == 0 ? 1 : p.alignment;
    const std::size_t offset = (packed.size() + alignment - 1) / alignment * alignment;
    packed.resize(offset + p.bytes);
    if (p.bytes > 0) std::memcpy(packed.data() + offset, arguments[i].bytes.data(), p.bytes);
  }
  return packed;
}

Expected<Admission> check_geometry(const Properties& gpu, const KernelInfo& kernel,
                                   const Launch& launch) {
  if (auto ok = check_extents(gpu, launch); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_bounds_of_kernel(kernel, launch); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_resources(gpu, kernel, launch); !ok) return tl::unexpected(ok.error());
  const auto cluster = check_cluster(gpu, kernel, launch);
  if (!cluster) return tl::unexpected(cluster.error());

  const Occupancy occupancy =
      occupancy_of(gpu, {.threads = static_cast<std::uint32_t>(launch.block.count()),
                         .registers = kernel.registers,
                         .shared = kernel.static_shared + launch.dynamic_shared});
  const std::uint64_t resident = std::uint64_t{occupancy.blocks} * gpu.multiprocessors;
  if (launch.cooperative && launch.grid.count() > resident) {
    return refuse(ErrorCode::cooperative_too_large, "cooperative",
                  {{"blocks", launch.grid.count()},
                   {"gpu", gpu.name},
                   {"resident", resident},
                   {"each", occupancy.blocks},
                   {"multiprocessors", gpu.multiprocessors},
                   {"limiter", Message{"phrase.limiter." + occupancy.limiter, {}, {}}},
                   {"most", resident}});
  }
  return Admission{*cluster, resident};
}

}  // namespace warpbook::device
