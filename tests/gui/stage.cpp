#include "tests/gui/stage.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "device/sanitized.hpp"
#include "tests/gui/made_up.hpp"

namespace warpbook::gui {
namespace {
/// What a renderer would do with textures: say that it has them.
void take_textures() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->Status == ImTextureStatus_WantCreate ||
        texture->Status == ImTextureStatus_WantUpdates) {
      texture->SetTexID(1);
      texture->SetStatus(ImTextureStatus_OK);
    } else if (texture->Status == ImTextureStatus_WantDestroy) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
  }
}
/// WARPBOOK_ROOT tries another book.
std::string root() {
  const char* given = std::getenv("WARPBOOK_ROOT");
  return given ? given : WARPBOOK_SOURCE_DIR;
}
}  // namespace

Stage::Stage(float width, float height, const std::string& language, std::string theme)
    : book_(std::make_unique<Book>(
          Book::Options{root(), language, std::move(theme), false, nullptr, nullptr})),
      context_(std::make_unique<Context>()) {
  start_engine(width, height);
}

Stage::Stage(const OpenOptions& options, float width, float height)
    : session_(std::make_unique<Session>(options, [] {})), context_(std::make_unique<Context>()) {
  start_engine(width, height);
}

void Stage::start_engine(float width, float height) {
  // Checks run in `warpbook check-worker`, which a test program is not.
  ::setenv("WARPBOOK_BINARY", WARPBOOK_BINARY, 1);
  context_->make_current();
  context_->fonts().set_han_marks(book().strings().language().han_marks);
  context_->set_display(width, height, 1);
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigNoThrottle = true;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigLogToTTY = true;
  io.ConfigSavedSettings = false;
  io.ConfigWatchdogKillTest = static_cast<float>(60 * device::kSlowdown);
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
}

Stage::~Stage() {
  context_->make_current();
  ImGuiTestEngine_Stop(engine_);
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
  context_.reset();
  ImGuiTestEngine_DestroyContext(engine_);
}

void Stage::open_made_up() {
  book().open(made_up::lesson(), made_up::document(book().language()));
  settle();
}

void Stage::open(std::string_view slug) {
  REQUIRE(book().open(slug));
  REQUIRE_FALSE(book().document_error().has_value());
  settle();
}

void Stage::open_answered(std::string_view slug) {
  open(slug);
  const lab::Inputs opened = book().inputs();
  for (const lab::DocumentNode& block : book().document().nodes) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&block))
      book().answer(predict->id, predict->choices.front().value);
  }
  book().set_inputs(opened);  // an answer shows its own case
  settle();
}

void Stage::frame() {
  context_->make_current();
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  time_ += 1.0 / 60;
  Context::new_frame();
  session_ ? session_->poll() : book_->poll();
  shell().frame(book(), context_->fonts(), time_);
  ImGui::Render();
  take_textures();
  ImGuiTestEngine_PostSwap(engine_);
}

void Stage::settle() {
  using namespace std::chrono_literals;
  for (int i = 0; i < 4; ++i) frame();
  book().settle();
  for (int i = 0; i < 600 * device::kSlowdown && book().active_attempt() &&
                  book().active_attempt()->progress().running;
       ++i) {
    std::this_thread::sleep_for(50ms);
    book().poll();
  }
  for (int i = 0; i < 20; ++i) frame();
}

bool Stage::until(const std::function<bool()>& holds, double seconds) {
  using namespace std::chrono_literals;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds * device::kSlowdown);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(10ms);
    frame();
  }
  return true;
}

void Stage::act(const std::function<void(ImGuiTestContext&)>& steps) {
  ImGuiTest* test = IM_REGISTER_TEST(engine_, "book", "act");
  test->TestFunc = [&steps](ImGuiTestContext* context) { steps(*context); };
  ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_RunFromCommandLine);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) frame();
  const ImGuiTestStatus status = test->Output.Status;
  ImGuiTestEngine_UnregisterTest(engine_, test);
  REQUIRE(status == ImGuiTestStatus_Success);
}

bool Stage::has(const char* item) {
  bool found = false;
  act([&](ImGuiTestContext& t) { found = t.ItemExists(item); });
  return found;
}

std::optional<float> Stage::width_of(const char* item) {
  std::optional<float> width;
  act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(item, ImGuiTestOpFlags_NoError);
    if (info.ID != 0) width = info.RectFull.GetWidth();
  });
  return width;
}

ImRect Stage::rectangle(const char* item) {
  ImRect rect;
  act([&](ImGuiTestContext& t) {
    t.ScrollToItemY(item);
    t.Yield(60);
    rect = t.ItemInfo(item).RectFull;
  });
  return rect;
}

int Stage::vertices() { return ImGui::GetDrawData()->TotalVtxCount; }

int Stage::draw_calls() {
  int calls = 0;
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) calls += list->CmdBuffer.Size;
  return calls;
}

}  // namespace warpbook::gui
