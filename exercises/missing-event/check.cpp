// missing-event: a pipeline that is right by luck, because two streams use the same memory without an order.
#include "exercises/pipelines.hpp"

namespace warpbook::exercises {

lab::Exercise missing_event() { return {"missing-event", check_pipeline}; }

}  // namespace warpbook::exercises
