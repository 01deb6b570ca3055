#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab {

namespace reference {
#define WARPBOOK_REFERENCE(operation) Truths operation(const Given& given);
#include "lab/operation/reference/table.inc"
#undef WARPBOOK_REFERENCE
}  // namespace reference

Reference find_reference(std::string_view operation) {
  static const std::map<std::string_view, Reference> table = {
#define WARPBOOK_REFERENCE(operation) {#operation, reference::operation},
#include "lab/operation/reference/table.inc"
#undef WARPBOOK_REFERENCE
  };
  const auto found = table.find(operation);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace warpbook::lab
