#include "device/simulator/state/loaded_module.hpp"

#include <cpuid.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "device/kernel_name.hpp"

namespace warpbook::device {
namespace {

ElementType element_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::b16:
    case ptx::Type::u16: return ElementType::u16;
    case ptx::Type::s16: return ElementType::i16;
    case ptx::Type::b32:
    case ptx::Type::u32: return ElementType::u32;
    case ptx::Type::s32: return ElementType::i32;
    case ptx::Type::b64:
    case ptx::Type::u64: return ElementType::u64;
    case ptx::Type::s64: return ElementType::i64;
    case ptx::Type::f16: return ElementType::f16;
    case ptx::Type::bf16: return ElementType::bf16;
    case ptx::Type::f32: return ElementType::f32;
    case ptx::Type::f64: return ElementType::f64;
    default: return ElementType::u8;
  }
}

std::string type_name(const ptx::Variable& p) {
  if (p.array) return "b8";
  switch (p.type) {
    case ptx::Type::b8: return "b8";
    case ptx::Type::u8: return "u8";
    case ptx::Type::s8: return "s8";
    case ptx::Type::b16: return "b16";
    case ptx::Type::u16: return "u16";
    case ptx::Type::s16: return "s16";
    case ptx::Type::b32: return "b32";
    case ptx::Type::u32: return "u32";
    case ptx::Type::s32: return "s32";
    case ptx::Type::b64: return "b64";
    case ptx::Type::u64: return "u64";
    case ptx::Type::s64: return "s64";
    case ptx::Type::f16: return "f16";
    case ptx::Type::bf16: return "bf16";
    case ptx::Type::f32: return "f32";
    case ptx::Type::f64: return "f64";
    default: return "b8";
  }
}

/// The extent that a directive names; nothing where the kernel has no such directive.
std::optional<Dim3> extent_of(const std::uint32_t (&values)[3]) {
  if (values[0] == 0) return std::nullopt;
  return Dim3{values[0], std::max(values[1], 1u), std::max(values[2], 1u)};
}

/// The parameters' types in the source, where the kernel's name tells them.
void declare_parameters(KernelInfo& kernel) {
  const KernelName said = kernel_name_of(kernel.mangled);
  if (!said.typed || said.parameters.size() != kernel.parameters.size()) return;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    kernel.parameters[i].declared = said.parameters[i];
}

bool has_avx2() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const bool f16c =
      __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);  // no builtin of clang's
  return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
}

const isa::HandlerBuild& build_of(HandlerSet set) {
  if (set == HandlerSet::best) {
    const char* forced = std::getenv("WARPBOOK_HANDLERS");
    set = forced && std::string_view(forced) == "sse2" ? HandlerSet::sse2 : HandlerSet::avx2;
  }
  return set == HandlerSet::avx2 && has_avx2() ? isa::kAvx2Handlers : isa::kSse2Handlers;
}

// Bytes of all __device__ variables of a module, which start as zeros: they are in this machine's memory from the start.
constexpr std::uint64_t kVariableLimit = 1ull << 30;

}  // namespace

std::string plain_name(std::string_view symbol) {
  const std::string_view mangled = without_prefix_of_statics(symbol);
  // Without the prefix it is a C name, which the demangler would take for a type: "f" for float.
  if (!mangled.starts_with("_Z")) return std::string(mangled);
  int status = 0;
  char* text = abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status);
  if (!text) return std::string(mangled);
  std::string name(text);
  std::free(text);
  // The parameters begin at the bracket that closes last; "(anonymous namespace)" opens one of its own.
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      name.resize(i);
      break;
    }
  }
  // A template's name begins with its result type, which ends at the last space outside of <> and ().
  int angle = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++angle;
    if (name[i] == '<' || name[i] == '(') --angle;
    if (name[i] == ' ' && angle == 0) {
      name.erase(0, i + 1);
      break;
    }
  }
  return name;
}

LoadedModule::LoadedModule(ptx::Module module, const Properties& gpu,
                           std::shared_ptr<GlobalMemory> memory, const isa::HandlerBuild& handlers)
    : module_(std::move(module)), gpu_(gpu), memory_(std::move(memory)), handlers_(handlers) {
  describe_kernels();
}

LoadedModule::~LoadedModule() {
  for (const Pointer p : placement_.variables) {
    if (p != 0) (void)memory_->release(p, "unload");
  }
}

void LoadedModule::describe_kernels() {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const ptx::Function& function = module_.functions[f];
    if (!function.entry || function.external) continue;
    KernelInfo info;
    info.mangled = function.name;
    info.name = plain_name(function.name);
    for (const ptx::Variable& p : function.parameters) {
      info.parameters.push_back({type_name(p), static_cast<std::uint32_t>(p.bytes), p.alignment});
    }
    declare_parameters(info);
    const std::vector<std::uint32_t> reached = isa::reachable_functions(module_, f);
    info.static_shared = isa::lay_shared_out(module_, reached).static_bytes;
    std::uint64_t local = 0;
    for (const std::uint32_t r : reached) {
      for (const ptx::Variable& v : module_.functions[r].variables) {
        if (v.space == ptx::StateSpace::local) local += v.bytes;
      }
    }
    info.local_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(local, 0xffffffff));
    if (const auto most = extent_of(function.max_threads))
      info.max_threads =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(most->count(), 0xffffffff));
    info.required_block = extent_of(function.required_threads);
    info.required_cluster = extent_of(function.required_cluster);
    kernels_.push_back(std::move(info));
    kernel_functions_.push_back(f);
  }
}

Expected<void> LoadedModule::place() {
  placement_.variables.assign(module_.variables.size(), 0);
  std::uint64_t all = 0;
  for (const ptx::Variable& v : module_.variables) {
    const bool kept = !v.external && v.space == ptx::StateSpace::global;
    all = std::min(all + (kept ? std::min(v.bytes, kVariableLimit + 1) : 0), kVariableLimit + 1);
    if (all > kVariableLimit) {
      return failure(
          ErrorCode::ptx_limit,
          {{"why", Message{"phrase.limit.variables", {{"name", plain_name(v.name)}}, {}}}});
    }
  }
  for (std::size_t i = 0; i < module_.variables.size(); ++i) {
    const ptx::Variable& v = module_.variables[i];
    if (v.external || (v.space != ptx::StateSpace::global && v.space != ptx::StateSpace::constant))
      continue;
    const bool constant = v.space == ptx::StateSpace::constant;
    auto address = memory_->allocate(plain_name(v.name), element_of(v.type), v.bytes,
                                     constant ? AllocationKind::constant : AllocationKind::variable,
                                     v.managed);  // the host's code has its pages open
    if (!address) return tl::unexpected(address.error());
    placement_.variables[i] = *address;
  }
  for (std::size_t i = 0; i < module_.variables.size(); ++i) {
    if (placement_.variables[i] == 0) continue;
    if (auto ok = initialise(module_.variables[i], placement_.variables[i]); !ok) return ok;
  }
  return {};
}

/// Variables start as zeros but for their initialiser (PTX ISA 9.0, 5.4.4), so all of them are written.
Expected<void> LoadedModule::initialise(const ptx::Variable& v, Pointer address) {
  if (v.bytes == 0) return {};
  if (auto ok = memory_->fill(address, std::byte{0}, v.bytes, "load"); !ok) return ok;
  std::vector<std::byte> bytes(std::min<std::uint64_t>(v.initial.size(), v.bytes));
  std::transform(v.initial.begin(), v.initial.begin() + static_cast<std::ptrdiff_t>(bytes.size()),
                 bytes.begin(), [](std::uint8_t b) { return std::byte{b}; });
  for (const ptx::Variable::Address& a : v.addresses) {
    std::uint64_t value = 0;
    if (const auto variable = module_.variable_by_name.find(a.symbol);
        variable != module_.variable_by_name.end()) {
      value = placement_.variables[variable->second];
    } else if (const auto function = module_.function_by_name.find(a.symbol);
               function != module_.function_by_name.end()) {
      value = isa::address_of_function(function->second);
    }
    if (value == 0) return failure(ErrorCode::ptx_unresolved, {{"name", std::string(a.symbol)}});
    value += static_cast<std::uint64_t>(a.addend);
    const std::uint32_t width = a.byte_of == 0xff ? a.bytes : 1;
    if (a.byte_of != 0xff) value >>= 8 * a.byte_of;
    if (a.offset + width > v.bytes)
      return failure(ErrorCode::ptx_syntax, {{"why", Message{"phrase.ptx-syntax.long-initialiser",
                                                             {{"name", std::string(v.name)}}}}});
    if (bytes.size() < a.offset + width) bytes.resize(a.offset + width);
    std::memcpy(bytes.data() + a.offset, &value, std::min<std::uint32_t>(width, 8));
  }
  return memory_->write(address, bytes, "load");
}

Expected<AllocationInfo> LoadedModule::global(std::string_view name) const {
  for (std::size_t i = 0; i < module_.variables.size(); ++i) {
    const ptx::Variable& v = module_.variables[i];
    if (placement_.variables[i] == 0 || (v.name != name && plain_name(v.name) != name)) continue;
    return AllocationInfo{plain_name(v.name), placement_.variables[i], v.bytes, element_of(v.type)};
  }
  return failure(ErrorCode::no_such_global, {{"name", std::string(name)}});
}

const KernelInfo* LoadedModule::kernel_at(Pointer address) const {
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    if (isa::address_of_function(kernel_functions_[k]) == address) return &kernels_[k];
  }
  return nullptr;
}

Expected<std::shared_ptr<const isa::Code>> LoadedModule::code(std::string_view mangled,
                                                              isa::CodeForm form) const {
  std::uint32_t kernel = kNone;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    if (kernels_[k].mangled == mangled) kernel = kernel_functions_[k];
  }
  if (kernel == kNone) {
    std::string known;
    for (const KernelInfo& k : kernels_) known += (known.empty() ? "" : ", ") + k.name;
    return failure(ErrorCode::no_such_kernel, {{"name", std::string(mangled)}, {"known", known}});
  }
  std::lock_guard lock(mutex_);
  auto& code = codes_[{kernel, form}];
  if (code) return code;
  auto decoded = isa::decode(module_, kernel, placement_, handlers_, form);
  if (!decoded) return tl::unexpected(decoded.error());
  code = std::move(*decoded);
  return code;
}

Expected<void> LoadedModule::prepare(std::string_view mangled) const {
  auto decoded = code(mangled, {});
  if (!decoded) return tl::unexpected(decoded.error());
  return {};
}

std::uint32_t LoadedModule::own_file(std::uint32_t function) const {
  for (const ptx::Instruction& i : module_.functions[function].instructions) {
    if (i.location == ptx::kNone) continue;
    // The outermost place of inlined code is in the kernel's own text.
    std::uint32_t at = i.location;
    for (int depth = 0; module_.locations[at].inlined_at != ptx::kNone && depth < 64; ++depth)
      at = module_.locations[at].inlined_at;
    const std::uint32_t file = module_.locations[at].file;
    if (file != ptx::kNone && file < module_.files.size()) return file;
  }
  return ptx::kNone;
}

Expected<std::shared_ptr<const LoadedModule>> load_module(ptx::Module module, const Properties& gpu,
                                                          std::shared_ptr<GlobalMemory> memory,
                                                          HandlerSet handlers) {
  auto loaded =
      std::make_shared<LoadedModule>(std::move(module), gpu, std::move(memory), build_of(handlers));
  if (auto ok = loaded->place(); !ok) return tl::unexpected(ok.error());
  return std::shared_ptr<const LoadedModule>(std::move(loaded));
}

}  // namespace warpbook::device
