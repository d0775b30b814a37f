// A form that stays on the page takes over stored values, and never replaces typed ones.
import { act, renderHook } from "@testing-library/react";
import { useForm } from "react-hook-form";
import { expect, test } from "vitest";
import { settleForm } from "./Form";

function openForm() {
  const { result } = renderHook(() => {
    const form = useForm({ defaultValues: { name: "Akku", seller: "Laden" } });
    return { form, isDirty: form.formState.isDirty };
  });
  return result;
}

test("after saving the form holds what is stored and nothing unsaved", () => {
  const opened = openForm();
  const { form } = opened.current;
  act(() => form.setValue("name", " Akku 1 ", { shouldDirty: true }));
  expect(opened.current.isDirty).toBe(true);
  act(() => settleForm(form, { name: " Akku 1 ", seller: "Laden" }, { name: "Akku 1", seller: "Laden" }));
  expect(form.getValues()).toEqual({ name: "Akku 1", seller: "Laden" });
  expect(opened.current.isDirty).toBe(false);
});

test("values typed before the answer stay, as unsaved", () => {
  const opened = openForm();
  const { form } = opened.current;
  act(() => form.setValue("seller", "Flohmarkt", { shouldDirty: true }));
  act(() => settleForm(form, { name: "Akku", seller: "Laden" }, { name: "Akku", seller: "Laden" }));
  expect(form.getValues("seller")).toBe("Flohmarkt");
  expect(opened.current.isDirty).toBe(true);
});

test("values saved by another device are taken over, except in fields with typed ones", () => {
  const opened = openForm();
  const { form } = opened.current;
  act(() => form.setValue("name", "Meiner", { shouldDirty: true }));
  act(() => settleForm(form, { name: "Akku", seller: "Laden" }, { name: "Anderer", seller: "Werkstatt" }));
  expect(form.getValues()).toEqual({ name: "Meiner", seller: "Werkstatt" });
  expect(opened.current.isDirty).toBe(true);
});
