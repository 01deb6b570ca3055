// Draws a chapter into a picture, without a display.
#include <cmath>
#include <cstdio>

#include <imgui_impl_opengl3.h>

#include "device/platform.hpp"
#include "gui/app.hpp"
#include "gui/book/screens.hpp"
#include "gui/draw/context.hpp"
#include "gui/draw/offscreen.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui {
namespace {
int complain(const Book& book, const device::Error& error, int code) {
  std::fprintf(stderr, "warpbook: %s\n", book.strings()(error).c_str());
  return code;
}

void draw_frame(Book& book, Shell& shell, Context& context, double time,
                const Framebuffer& screen) {
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  shell.frame(book, context.fonts(), time);
  ImGui::Render();
  screen.bind();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

/// How many screens the lecture has.
std::size_t screen_count(const Book& book, const ShotOptions& options) {
  return options.demo ? options.demo->screens.size() : screens_of(book.document()).size();
}

/// Nothing where the lecture has that screen, or none was asked for.
std::optional<device::Error> no_such_screen(const Book& book, const ShotOptions& options) {
  if (!options.screen) return {};
  const std::size_t count = screen_count(book, options);
  if (*options.screen >= 1 && *options.screen <= count) return {};
  return device::Error{
      device::ErrorCode::bad_value,
      {{"key", "--screen"},
       {"what", "warpbook shot"},
       {"got", std::to_string(*options.screen)},
       {"expected", device::Message{"phrase.demo.screen", {{"count", std::to_string(count)}}, {}}}},
      {}};
}

/// A screen of a lecture, with the questions revealed that count as answered.
void present(Book& book, Shell& shell, const ShotOptions& options) {
  shell.begin_lecture(book, options.demo);
  shell.lecture().go_to(book, *options.screen - 1);
  for (const auto& [id, value] : options.answers) book.answer(id, value);
  book.settle();
}
}  // namespace

int shot(const ShotOptions& options) {
  Book book({options.root, options.language, options.theme, false, nullptr, nullptr});
  const auto pixels = [&](int points) {
    return static_cast<int>(std::lround(static_cast<float>(points) * options.scale));
  };
  auto screen = Offscreen::make(pixels(options.width), pixels(options.height));
  if (!screen) return complain(book, screen.error(), 3);
  Context context;
  context.fonts().set_han_marks(book.strings().language().han_marks);
  context.set_display(static_cast<float>(options.width), static_cast<float>(options.height),
                      options.scale);
  ImGui_ImplOpenGL3_Init("#version 330 core");

  if (!book.open(options.chapter)) {
    std::string known;
    for (const ChapterEntry& entry : book.chapters())
      known += (known.empty() ? "" : ", ") + entry.slug;
    const auto unknown = device::failure(device::ErrorCode::unknown_name,
                                         {{"kind", device::Message{"phrase.kind.chapter", {}, {}}},
                                          {"name", options.chapter},
                                          {"known", known}});
    ImGui_ImplOpenGL3_Shutdown();
    return complain(book, unknown.value(), 2);
  }
  if (book.document_error()) {
    ImGui_ImplOpenGL3_Shutdown();
    return complain(book, *book.document_error(), 1);
  }
  if (const auto missing = no_such_screen(book, options)) {
    ImGui_ImplOpenGL3_Shutdown();
    return complain(book, *missing, 2);
  }
  book.set_answers(options.answers);
  lab::Inputs inputs = book.inputs();
  for (const auto& [name, value] : options.inputs.values.all()) inputs.values.set(name, value);
  inputs.sources = options.inputs.sources;
  inputs.gpu = options.inputs.gpu;
  inputs.seed = options.inputs.seed;
  book.set_inputs(std::move(inputs));
  if (options.thread) {
    Link link;
    link.thread = Link::Thread{options.thread->first, options.thread->second};
    book.link.pin(link);
  } else if (options.line != 0) {
    Link link;
    link.line = options.line;
    book.link.pin(link);
  }
  book.want_sass(options.sass);
  if (!options.program.empty()) {
    if (const auto opened = book.my_program().open(options.program); !opened) {
      ImGui_ImplOpenGL3_Shutdown();
      return complain(book, opened.error(), 2);
    }
    book.open_program_page();
    book.run_now();
  }
  book.settle();

  // Layout settles within a few frames: fonts are rasterised, heights are measured, the scroll is
  // carried out.
  Shell shell;
  shell.lab().code().show_ptx(options.ptx);
  shell.lab().code().show_sass(options.sass);
  double time = 0;
  for (int frame = 0; frame < 16; ++frame) {
    if (frame == 3 && !options.step.empty()) shell.document().go_to_step(options.step);
    if (frame == 3 && !options.find.empty()) shell.document().find(options.find);
    if (frame == 3 && !options.term.empty()) shell.glossary().open_at(options.term);
    if (frame == 6) book.settle();  // an exercise or comparison that came into view
    if (frame == 8 && options.lab_alone) shell.show_lab();
    if (frame == 3 && options.screen) present(book, shell, options);
    const int wide = pixels(options.width), high = pixels(options.height);
    const float scale = shell.scale_for(wide, high, options.scale);
    context.set_display(static_cast<float>(wide) / scale, static_cast<float>(high) / scale, scale);
    draw_frame(book, shell, context, time += 0.25, (*screen)->screen());
  }
  const auto written =
      device::write_file_atomically(options.out, png_of((*screen)->screen().pixels()));
  ImGui_ImplOpenGL3_Shutdown();
  if (!written) return complain(book, written.error(), 2);
  return 0;
}

}  // namespace warpbook::gui
