// Finds a kernel by the names that people use for it.
#include <algorithm>
#include <functional>

#include "device/device.hpp"
#include "device/kernel_name.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxListed = 8;

/// "add(int*, int)"
std::string signature_of(const KernelInfo& kernel) {
  std::string types;
  for (const std::string& type : kernel_name_of(kernel.mangled).parameters)
    types += (types.empty() ? "" : ", ") + type;
  return kernel.name + "(" + types + ")";
}

std::string without_spaces(std::string_view text) {
  std::string result(text);
  std::erase(result, ' ');
  return result;
}

/// Names that several kernels have come with their parameters.
std::string list_of(const std::vector<const KernelInfo*>& kernels) {
  std::string text;
  for (std::size_t i = 0; i < kernels.size() && i < kMaxListed; ++i) {
    if (i > 0) text += ", ";
    const bool alone = std::ranges::count_if(kernels, [&](const KernelInfo* other) {
                         return other->name == kernels[i]->name;
                       }) == 1;
    text += alone ? kernels[i]->name : signature_of(*kernels[i]);
  }
  if (kernels.size() > kMaxListed)
    text += " and " + std::to_string(kernels.size() - kMaxListed) + " more";
  return text;
}

}  // namespace

Expected<const KernelInfo*> Module::kernel(std::string_view name) const {
  std::vector<const KernelInfo*> all;
  for (const KernelInfo& k : kernels()) all.push_back(&k);
  if (all.empty()) return failure(ErrorCode::no_kernel, {{"file", "this module"}});
  if (name.empty()) {
    if (all.size() == 1) return all.front();
    return failure(ErrorCode::ambiguous_kernel, {{"known", list_of(all)}});
  }

  // From the strictest reading of the name to the loosest; the first that finds anything decides.
  using Reading = std::function<bool(const KernelInfo&)>;
  const Reading readings[] = {
      [&](const KernelInfo& k) { return k.mangled == name; },
      [&](const KernelInfo& k) { return k.name == name; },
      [&](const KernelInfo& k) {
        return name.ends_with(')') && without_spaces(signature_of(k)) == without_spaces(name);
      },
      [&](const KernelInfo& k) { return without_template_arguments(k.name) == name; },
      [&](const KernelInfo& k) { return without_scopes(k.name) == name; },
      [&](const KernelInfo& k) {
        return without_template_arguments(without_scopes(k.name)) == name;
      },
  };
  for (const Reading& reading : readings) {
    std::vector<const KernelInfo*> found;
    std::ranges::copy_if(all, std::back_inserter(found),
                         [&](const KernelInfo* k) { return reading(*k); });
    if (found.size() == 1) return found.front();
    if (found.size() > 1) return failure(ErrorCode::ambiguous_kernel, {{"known", list_of(found)}});
  }
  return failure(ErrorCode::no_such_kernel, {{"name", std::string(name)}, {"known", list_of(all)}});
}

}  // namespace warpbook::device
